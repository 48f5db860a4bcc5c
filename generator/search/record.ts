import type { SearchedPost } from './recent-index.ts';
import { unspaced } from './words.ts';

/** Pagefind's data of a matching post. */
export interface Fragment {
  readonly url: string;
  readonly content: string;
}

/** A post's URL in the search index: its path, and after the `#` everything except the text as JSON. */
export function addressOf({ text: _, ...shown }: SearchedPost): string {
  return `/${shown.slug}/#${encodeURIComponent(JSON.stringify(shown))}`;
}

/** The post as it was added to the search index. */
export function postOf({ url, content }: Fragment): SearchedPost {
  const shown: Omit<SearchedPost, 'text'> = JSON.parse(decodeURIComponent(url.slice(url.indexOf('#') + 1)));
  return { ...shown, text: unspaced(content) };
}
