import { LRUCache } from 'lru-cache';
import type { Db } from '../store/database.ts';
import { findBodies, type PostBody } from '../store/published.ts';

/** Characters, more or less. */
const KEPT = 32 * 1024 * 1024;

/** Bodies of posts that were read before. Every feed has posts that it had before, so that few are read anew. */
export interface Bodies {
  /** Published posts with their bodies, in their order. */
  addTo<T extends { readonly id: string; readonly edition: string }>(
    db: Db,
    posts: readonly T[],
  ): Promise<(T & PostBody)[]>;
}

/** Bodies are known by their edition, which is never another body's: nothing that is kept can be out of date. */
export function createBodies(): Bodies {
  const kept = new LRUCache<string, PostBody>({
    maxSize: KEPT,
    sizeCalculation: ({ html, headings }) => html.length + headings.length * 100 + 100,
  });
  return {
    async addTo(db, posts) {
      const unread = posts.filter(({ edition }) => !kept.has(edition)).map(({ id }) => id);
      const found = await findBodies(db, unread);
      const complete = posts.flatMap((post) => {
        const body = found.get(post.edition) ?? kept.get(post.edition);
        return body ? [{ ...post, ...body }] : [];
      });
      for (const [edition, body] of found) kept.set(edition, body);
      return complete;
    },
  };
}
