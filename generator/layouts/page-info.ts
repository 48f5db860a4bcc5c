import { formatMonth } from '../dates.ts';
import type { HtmlView } from '../page.ts';
import { blogUrl, postPath } from '../site.ts';

export interface PageInfo {
  /** The page's own title, without the blog's name. The front page's title is the blog's name. */
  readonly title: string;
  /** Its absolute URL; null for the 404 page, which has no URL of its own. */
  readonly url: string | null;
}

/** A page's title and URL. */
export function pageInfo(view: Exclude<HtmlView, { readonly layout: 'redirect' }>): PageInfo {
  const at = (path: string) => blogUrl(view.blog, path);
  switch (view.layout) {
    case 'post':
      return { title: view.post.title, url: at(postPath(view.post.slug)) };
    case 'list':
      return { title: listTitle(view) || view.blog.name, url: at(listPath(view)) };
    case 'tags':
      return { title: 'Tags', url: at('/tags/') };
    case 'archive':
      return { title: 'Archive', url: at('/archive/') };
    case 'search':
      return { title: 'Search', url: at('/search/') };
    case 'not-found':
      return { title: 'This page is not here', url: null };
  }
}

type ListView = Extract<HtmlView, { layout: 'list' }>;

/** A list's tag or month in words; empty for the blog's main list. */
export function listSubject({ tag, month, blog }: ListView): string {
  if (tag !== null) return `#${tag.label}`;
  return month === null ? '' : formatMonth(month, blog.settings.language);
}

const listTitle = (view: ListView): string =>
  [listSubject(view), view.pageNumber === null ? '' : `Page ${view.pageNumber}`].filter(Boolean).join(' · ');

/** Path of a list's front page. */
export function listRoot({ tag, month }: ListView): string {
  if (tag !== null) return `/tags/${encodeURIComponent(tag.slug)}/`;
  return month === null ? '/' : `/archive/${month}/`;
}

export const listPath = (view: ListView): string =>
  listRoot(view) + (view.pageNumber === null ? '' : `page/${view.pageNumber}/`);
