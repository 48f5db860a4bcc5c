import { absoluteUrl, postUrl, seriesAddress, shownUrl, tagAddress } from '../addresses.ts';
import { postLanguage } from '../markdown/text/language.ts';
import { readingMinutes } from '../markdown/text/words.ts';
import type { PostLink, PostView } from '../page.ts';
import type { SiteBlog } from '../site/blog.ts';
import type { PostType, SitePostSummary } from '../site/post.ts';

/** What a layout can read of a post in a list. URLs are absolute. */
export interface LayoutEntry extends LayoutPostLink {
  readonly type: PostType;
  readonly date: string;
  /** Time of the last change. */
  readonly updated: string;
  readonly tags: readonly LayoutTag[];
  readonly description: string;
  readonly author: string | null;
  readonly author_url: string | null;
  readonly author_image: string | null;
  readonly cover: LayoutCover | null;
}

/** What a layout can read of the post whose page it is on: all that the page itself shows of other posts, too. */
export interface LayoutPost extends LayoutEntry {
  readonly reading_minutes: number;
  readonly word_count: number;
  readonly related: readonly LayoutPostLink[];
  readonly series: LayoutSeries | null;
  /** The posts published right after and right before this one. */
  readonly newer: LayoutPostLink | null;
  readonly older: LayoutPostLink | null;
}

export interface LayoutTag {
  readonly label: string;
  readonly url: string;
}

interface LayoutPostLink {
  readonly title: string;
  readonly url: string;
  /** BCP 47 code of its language. */
  readonly lang: string;
}

interface LayoutCover {
  readonly url: string;
  readonly alt: string;
  /** In pixels; null for a picture that was not uploaded. */
  readonly width: number | null;
  readonly height: number | null;
}

interface LayoutSeries {
  readonly name: string;
  readonly url: string;
  readonly part: number;
  readonly previous: LayoutPostLink | null;
  readonly next: LayoutPostLink | null;
}

export function entryData(blog: SiteBlog, post: SitePostSummary): LayoutEntry {
  const author = post.author ?? blog.settings.author;
  return {
    ...linkData(blog, post),
    url: shownUrl(blog, post),
    type: post.type,
    date: post.publishedAt,
    updated: post.updatedAt,
    tags: post.tags.map((tag) => tagData(blog, tag)),
    description: post.description,
    author: author?.name ?? null,
    author_url: author?.url ?? null,
    author_image: author?.image ?? null,
    cover: post.coverImage && coverData(post.coverImage),
  };
}

export function postData(view: PostView): LayoutPost {
  const { blog, post } = view;
  const linked = (to: PostLink | null) => to && linkData(blog, to);
  return {
    ...entryData(blog, post),
    reading_minutes: readingMinutes(post.wordCount),
    word_count: post.wordCount,
    related: view.related.map((to) => linkData(blog, to)),
    series: post.series && {
      name: post.series.name,
      url: absoluteUrl(blog.url, seriesAddress(post.series.slug)),
      part: post.series.part,
      previous: linked(view.previousPart),
      next: linked(view.nextPart),
    },
    newer: linked(view.newer),
    older: linked(view.older),
  };
}

export const tagData = (
  { url }: SiteBlog,
  { label, slug }: { readonly label: string; readonly slug: string },
): LayoutTag => ({ label, url: absoluteUrl(url, tagAddress(slug)) });

const linkData = (blog: SiteBlog, link: PostLink): LayoutPostLink => ({
  title: link.title,
  url: postUrl(blog.url, link.slug),
  lang: postLanguage(link, blog.settings.language),
});

const coverData = ({ url, alt, width, height }: NonNullable<SitePostSummary['coverImage']>): LayoutCover => ({
  url,
  alt,
  width,
  height,
});
