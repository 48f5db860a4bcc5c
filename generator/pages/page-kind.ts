import type { Page } from '../page.ts';
import type { Placement, Site } from '../site.ts';

/**
 * A kind of page: which pages of it there are, which of them a change to a post can reach, and what each shows.
 * A clean build shows all of them, a rebuild those that were reached, and both by the same `show`.
 *
 * A page is named by its key, `<kind>:<which>`, which stays the same wherever the page lies.
 */
export interface PageKind {
  /** What its keys begin with, up to the colon. */
  readonly name: string;
  /** Keys of all pages that the site has. */
  allKeys(site: Site): Promise<readonly string[]>;
  /**
   * Keys of the pages that may show something else, or may have come or gone, because a post stands or stood at
   * this place. Too many cost time; one too few leaves a stale page on the edge. `changed` are the posts that may not
   * be on the edge as they are now; where it is not given, all may.
   */
  affectedKeys(site: Site, place: Placement, changed?: ReadonlySet<string>): Promise<readonly string[]>;
  /**
   * Of a kind with a page for each post, whose keys end in its id: where the page lies, which a slug decides. Such a page
   * may come to lie where nothing has been.
   */
  pathAt?(slug: string): string;
  /** Bytes of the bodies of posts that each page shows, where it shows any. */
  sizes?(site: Site, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The pages as they are now. A key whose page does not exist (any more) yields none. */
  build(site: Site, keys: readonly string[]): Promise<readonly Page[]>;
}

/** Of a kind with a page for each post, whose keys end in its id: what its pages weigh. */
export async function postSizes(site: Site, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const posts = await site.summaries(keys.map(keySuffix));
  return new Map(keys.map((key) => [key, posts.get(keySuffix(key))?.bytes ?? 0]));
}

/** The part of a key behind the kind's name. */
export const keySuffix = (key: string): string => key.slice(key.indexOf(':') + 1);
