import { absoluteUrl, postUrl, tagAddress } from '../addresses.ts';
import { readingMinutes } from '../markdown/text/words.ts';
import type { HtmlView, PostView } from '../page.ts';
import type { Author, Link, SiteBlog } from '../site.ts';
import { pageInfo } from './page-info.ts';

/** The page kinds that layouts see. A redirect has no layout. */
type LayoutPageKind = Exclude<HtmlView['layout'], 'redirect'> | 'front' | 'tag' | 'month';

/** A layout's variables: plain data. URLs are absolute, except those that the owner sets in `navigation`. */
export interface LayoutData {
  readonly blog: {
    readonly name: string;
    readonly description: string;
    readonly url: string;
    readonly language: string;
    readonly author: Author | null;
    readonly navigation: readonly Link[];
    readonly social_links: readonly Link[];
  };
  readonly page: {
    readonly kind: LayoutPageKind;
    readonly title: string;
    /** Null on the 404 page, which has no URL of its own. */
    readonly url: string | null;
    readonly path: string | null;
  };
  /** Null on pages that are not posts. */
  readonly post: LayoutPost | null;
}

export interface LayoutPost {
  readonly title: string;
  readonly url: string;
  readonly date: string;
  /** Time of the last change. */
  readonly updated: string;
  readonly tags: readonly { readonly label: string; readonly url: string }[];
  readonly description: string;
  readonly reading_minutes: number;
  readonly word_count: number;
  readonly author: string | null;
}

export type LayoutView = Exclude<HtmlView, { readonly layout: 'redirect' }>;

export function layoutData(view: LayoutView): LayoutData {
  const { title, url } = pageInfo(view);
  return {
    blog: blogData(view.blog),
    page: { kind: kindOf(view), title, url, path: url && new URL(url).pathname },
    post: view.layout === 'post' ? postData(view) : null,
  };
}

const blogData = ({ name, description, url, settings }: SiteBlog): LayoutData['blog'] => ({
  name,
  description,
  url,
  language: settings.language,
  author: settings.author,
  navigation: settings.navigation,
  social_links: settings.socialLinks,
});

function kindOf(view: LayoutView): LayoutPageKind {
  if (view.layout !== 'list') return view.layout;
  if (view.tag !== null) return 'tag';
  if (view.month !== null) return 'month';
  return view.pageNumber === null ? 'front' : 'list';
}

function postData({ blog, post }: PostView): LayoutPost {
  return {
    title: post.title,
    url: postUrl(blog.url, post.slug),
    date: post.publishedAt,
    updated: post.updatedAt,
    tags: post.tags.map(({ label, slug }) => ({ label, url: absoluteUrl(blog.url, tagAddress(slug)) })),
    description: post.description,
    reading_minutes: readingMinutes(post.wordCount),
    word_count: post.wordCount,
    author: (post.author ?? blog.settings.author)?.name ?? null,
  };
}
