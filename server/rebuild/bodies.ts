import { LRUCache } from 'lru-cache';
import type { Db } from '../store/database.ts';
import { findBodies, type PostBody } from '../store/published.ts';

/** Characters, more or less. */
const KEPT = 32 * 1024 * 1024;

/** By edition, which is never another body's: nothing that is kept can be out of date. */
const kept = new LRUCache<string, PostBody>({
  maxSize: KEPT,
  sizeCalculation: ({ html, headings }) => html.length + headings.length * 100 + 100,
});

/** Posts with their bodies. Every feed has posts that it had before, so that few are read anew. */
export async function withBodies<T extends { readonly id: string; readonly edition: string }>(
  db: Db,
  posts: readonly T[],
): Promise<(T & PostBody)[]> {
  const unread = posts.filter(({ edition }) => !kept.has(edition));
  const found = await findBodies(
    db,
    unread.map(({ id }) => id),
  );
  for (const [edition, body] of found) kept.set(edition, body);
  return posts.flatMap((post) => {
    const body = found.get(post.edition) ?? kept.get(post.edition);
    return body ? [{ ...post, ...body }] : [];
  });
}
