import type { SearchedPost } from './recent-index.ts';
import { unspaced } from './words.ts';

/** Pagefind's data of a matching post. */
export interface PagefindFragment {
  readonly url: string;
  readonly content: string;
}

/** A post's URL in the search index: its path, and after the `#` everything except the text as JSON. */
export function recordUrl({ text: _, ...shown }: SearchedPost): string {
  return `/${shown.slug}/#${encodeURIComponent(JSON.stringify(shown))}`;
}

/** The post as it was added to the search index. */
export function postOfFragment({ url, content }: PagefindFragment): SearchedPost {
  const shown: Omit<SearchedPost, 'text'> = JSON.parse(decodeURIComponent(url.slice(url.indexOf('#') + 1)));
  return { ...shown, text: unspaced(content) };
}
