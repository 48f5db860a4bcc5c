import type { SearchedPost } from './recent-index.ts';
import { unspaced } from './words.ts';

/** What Pagefind answers of a post that it has found. */
export interface PagefindFragment {
  readonly url: string;
  readonly content: string;
}

/** Under this address a post stands in the base: where it is, and behind the `#` all of it but the text, as JSON. */
export function recordUrl({ text: _, ...shown }: SearchedPost): string {
  return `/${shown.slug}/#${encodeURIComponent(JSON.stringify(shown))}`;
}

/** The post as it went into the base. */
export function postOfFragment({ url, content }: PagefindFragment): SearchedPost {
  const shown: Omit<SearchedPost, 'text'> = JSON.parse(decodeURIComponent(url.slice(url.indexOf('#') + 1)));
  return { ...shown, text: unspaced(content) };
}
