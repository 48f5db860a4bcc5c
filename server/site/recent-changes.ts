import type { RecentChanges } from '../../generator/site.ts';
import type { Db } from '../database/database.ts';
import { findChangedSince } from '../search-index/store.ts';
import type { Posts } from './post-cache.ts';

/** So much of all texts, in characters: there is room for less in what readers are sent. */
const TEXTS_MAX = 49_152;
/** Texts that are read at once. */
const TEXTS_BATCH = 10;

/** What readers' search must know of a blog beside its base: of the first posts with their texts, until it is enough. */
export async function findRecentChanges(
  db: Db,
  blogId: string,
  { findListed, texts }: Posts,
): Promise<RecentChanges> {
  const changed = await findChangedSince(db, blogId);
  const posts = [...(await findListed(changed.posts)).values()];
  const told: string[] = [];
  let length = 0;
  while (told.length < posts.length && length < TEXTS_MAX) {
    const batch = posts.slice(told.length, told.length + TEXTS_BATCH);
    const beginnings = await texts(batch);
    for (const { edition } of batch) {
      const text = beginnings.get(edition) ?? '';
      told.push(text);
      length += text.length;
    }
  }
  return { ...changed, posts, texts: told };
}
