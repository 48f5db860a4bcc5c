import { monthInWords } from '../dates.ts';
import type { HtmlView } from '../page.ts';
import { onBlog, postPath } from '../site.ts';

export interface AboutPage {
  /** The page's own title, without the name of the blog; that of the front page is the blog's. */
  readonly title: string;
  /** Its absolute address; null for the page for what is missing, which has none of its own. */
  readonly url: string | null;
}

/** What a page is called, and where it is. */
export function aboutPage(view: Exclude<HtmlView, { readonly layout: 'redirect' }>): AboutPage {
  const at = (path: string) => onBlog(view.blog, path);
  switch (view.layout) {
    case 'post':
      return { title: view.post.title, url: at(postPath(view.post.slug)) };
    case 'list':
      return { title: headingOf(view) || view.blog.name, url: at(listPath(view)) };
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

/** What all posts of a list have in common; empty for the blog's own list. */
export function subjectOf({ tag, month, blog }: ListView): string {
  if (tag !== null) return `#${tag.label}`;
  return month === null ? '' : monthInWords(month, blog.settings.language);
}

const headingOf = (view: ListView): string =>
  [subjectOf(view), view.run === null ? '' : `Page ${view.run}`].filter(Boolean).join(' · ');

/** Where the list begins. */
export function listRoot({ tag, month }: ListView): string {
  if (tag !== null) return `/tags/${encodeURIComponent(tag.slug)}/`;
  return month === null ? '/' : `/archive/${month}/`;
}

export const listPath = (view: ListView): string =>
  listRoot(view) + (view.run === null ? '' : `page/${view.run}/`);
