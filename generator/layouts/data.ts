import { absoluteUrl } from '../addresses.ts';
import { iconFile } from '../icon-files.ts';
import { directionOf } from '../markdown/text/language.ts';
import type { HtmlView } from '../page.ts';
import type { Author } from '../site/author.ts';
import { type Link, type SiteBlog, shownIcon } from '../site/blog.ts';
import type { SitePostSummary } from '../site/post.ts';
import { pageLanguage } from '../words/page-language.ts';
import { wordsFor } from '../words/words.ts';
import { pageInfo } from './page-info.ts';
import {
  entryData,
  type LayoutEntry,
  type LayoutPost,
  type LayoutTag,
  postData,
  tagData,
} from './post-data.ts';

/** The page kinds that layouts see. A redirect has no layout. */
type LayoutPageKind = Exclude<HtmlView['layout'], 'redirect'> | 'front' | 'tag' | 'month';

/**
 * A layout's variables: plain data. URLs are absolute, except those that the owner sets in `navigation`.
 *
 * All of it comes from the page's view, so whatever changes it also rebuilds the page, and a publish rebuilds no page
 * for the sake of its layout alone (docs/decisions/0031).
 */
export interface LayoutData {
  readonly blog: {
    readonly name: string;
    readonly description: string;
    readonly url: string;
    readonly language: string;
    readonly author: Author | null;
    /** URL of its icon, a square of 96 pixels; null if it has none, or until it is made. */
    readonly icon: string | null;
    readonly navigation: readonly Link[];
    readonly social_links: readonly Link[];
  };
  readonly page: {
    readonly kind: LayoutPageKind;
    readonly title: string;
    /** Null on the 404 page, which has no URL of its own. */
    readonly url: string | null;
    readonly path: string | null;
    /** BCP 47 code of the page's language, and its direction. */
    readonly lang: string;
    readonly direction: 'ltr' | 'rtl';
    /** On a tag's pages. */
    readonly tag: LayoutTag | null;
    /** URLs of the next pages of a list; null on other pages, and at either end. */
    readonly newer: string | null;
    readonly older: string | null;
  };
  /** Null on pages that are not posts. */
  readonly post: LayoutPost | null;
  /** The entries of a list, newest first; those of a series in their order. Empty on other pages. */
  readonly posts: readonly LayoutEntry[];
  /**
   * Newest posts of the blog and posts that it features. Empty except on the first page of its list and at its root.
   */
  readonly newest: readonly LayoutEntry[];
  readonly featured: readonly LayoutEntry[];
  readonly words: LayoutWords;
}

/** Words that a layout may need, in the language of the page; English if that has no translation. */
export type LayoutWords = ReturnType<typeof layoutWordsFor>;

/** The words of layouts in a language (BCP 47). */
export function layoutWordsFor(lang: string) {
  const { text } = wordsFor(lang);
  return {
    archive: text('archive'),
    tags: text('tags'),
    search: text('search'),
    featured: text('featured'),
    series: text('series'),
    related_posts: text('relatedPosts'),
    newer_posts: text('newerPosts'),
    older_posts: text('olderPosts'),
    newer: text('newer'),
    older: text('older'),
    previous_part: text('previousPart'),
    next_part: text('nextPart'),
  };
}

export type LayoutView = Exclude<HtmlView, { readonly layout: 'redirect' }>;

/** The newest posts that a layout sees. */
export const MAX_NEWEST = 10;
/** Posts that the first page of a blog's list picks out. */
export const MAX_FEATURED = 3;

export function layoutData(view: LayoutView): LayoutData {
  const { blog } = view;
  const entries = (posts: readonly SitePostSummary[]) => posts.map((post) => entryData(blog, post));
  const { newest, featured } = frontPosts(view);
  return {
    blog: blogData(blog),
    page: pageData(view),
    post: view.layout === 'post' ? postData(view) : null,
    posts: entries('posts' in view ? view.posts : []),
    newest: entries(newest),
    featured: entries(featured),
    words: layoutWordsFor(pageLanguage(view)),
  };
}

/** Whether the page lists posts, which a layout may then do itself. */
export const listsPosts = ({ page }: LayoutData): boolean =>
  ['front', 'list', 'tag', 'month', 'series'].includes(page.kind);

const iconAddress = (image: string | null) => image && iconFile(image, 96);

const blogData = ({ name, description, url, settings }: SiteBlog): LayoutData['blog'] => ({
  name,
  description,
  url,
  language: settings.language,
  author: settings.author,
  icon: iconAddress(shownIcon(settings)),
  navigation: settings.navigation,
  social_links: settings.socialLinks,
});

function pageData(view: LayoutView): LayoutData['page'] {
  const { title, url } = pageInfo(view);
  const { newer, older, tag } = view.layout === 'list' ? view : { newer: null, older: null, tag: null };
  const lang = pageLanguage(view);
  return {
    kind: kindOf(view),
    title,
    url,
    path: url && new URL(url).pathname,
    lang,
    direction: directionOf(lang),
    tag: tag && tagData(view.blog, tag),
    newer: newer && absoluteUrl(view.blog.url, newer),
    older: older && absoluteUrl(view.blog.url, older),
  };
}

function kindOf(view: LayoutView): LayoutPageKind {
  if (view.layout !== 'list') return view.layout;
  if (view.tag !== null) return 'tag';
  if (view.month !== null) return 'month';
  return view.pageNumber === null ? 'front' : 'list';
}

interface FrontPosts {
  readonly newest: readonly SitePostSummary[];
  readonly featured: readonly SitePostSummary[];
}

/**
 * On the first page of the blog's list, `view.featured` has only those that the list lacks, and they are older than all
 * in the list.
 */
function frontPosts(view: LayoutView): FrontPosts {
  if (view.layout === 'post') return view.front ?? { newest: [], featured: [] };
  if (view.layout !== 'list' || kindOf(view) !== 'front') return { newest: [], featured: [] };
  const featured = [...view.posts.filter((post) => post.isFeatured), ...view.featured];
  return { newest: view.posts.slice(0, MAX_NEWEST), featured: featured.slice(0, MAX_FEATURED) };
}
