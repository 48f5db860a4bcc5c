import type { Page } from '../page.ts';
import type { Placement } from '../site/placement.ts';
import type { Site } from '../site/site.ts';
import type { Stage } from '../upload-order.ts';

/**
 * A kind of page: lists its pages, finds those that a change to a post affects, and builds them. A clean build shows
 * all of them, an incremental rebuild only the affected ones, both with the same `build`.
 *
 * A page's key, `<kind>:<which>`, identifies it independently of its path.
 */
export interface PageKind {
  /** The prefix of its keys, without the colon. */
  readonly name: string;
  /** When its pages are uploaded. */
  readonly stage: Stage;
  /** Keys of all the site's pages of this kind. */
  allKeys(site: Site): Promise<readonly string[]>;
  /**
   * Keys of the pages that may change, or may have been added or removed, because a post is or was at this place. Extra
   * keys cost time, but a missing key leaves a stale page on the edge. `changed` has the ids of the posts whose current
   * state may not be on the edge yet; without it, that is true of every post.
   */
  affectedKeys(site: Site, place: Placement, changed?: ReadonlySet<string>): Promise<readonly string[]>;
  /**
   * Path of the page of a post with this slug. Only for kinds with one page per post, whose keys end in the post's id.
   * Such a page may move to a path that did not exist before.
   */
  pathAt?(slug: string): string;
  /** Total size in bytes of the post bodies on each page, by key. Only for kinds that show bodies. */
  sizes?(site: Site, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Builds the pages from the site's current state. A key whose page does not exist (any more) gives none. */
  build(site: Site, keys: readonly string[]): Promise<readonly BuiltPage[]>;
}

/** A page as its kind builds it: the kind knows the stage, unless the page has one of its own. */
export type BuiltPage = Omit<Page, 'stage'> & { readonly stage?: Stage };

/** `sizes` for kinds with one page per post, whose keys end in the post's id. */
export async function postSizes(site: Site, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const posts = await site.summaries(keys.map(keySuffix));
  return new Map(keys.map((key) => [key, posts.get(keySuffix(key))?.bytes ?? 0]));
}

/** The part of a key after the kind's name. */
export const keySuffix = (key: string): string => key.slice(key.indexOf(':') + 1);
