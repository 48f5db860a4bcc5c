import type { RecentChanges } from '../../generator/site/site.ts';
import type { Db } from '../database/database.ts';
import { MAX_TEXT } from '../published/post-bodies.ts';
import { findSearchChanges } from '../search-index/store.ts';
import type { SnapshotPosts } from './post-cache.ts';

/** Maximum characters of all texts together: more than the recent index has room for. */
const MAX_TEXT_CHARS = 49_152;
/** Texts per query. */
const TEXTS_BATCH = 10;

/**
 * The changes that a blog's recent index must cover, because they are newer than its search index. Only the first posts
 * have their texts, up to `MAX_TEXT_CHARS`.
 */
export async function findRecentChanges(
  db: Db,
  blogId: string,
  { findListed, texts }: SnapshotPosts,
): Promise<RecentChanges> {
  const changed = await findSearchChanges(db, blogId);
  const posts = [...(await findListed(changed.posts)).values()];
  const collected: string[] = [];
  let length = 0;
  while (collected.length < posts.length && length < MAX_TEXT_CHARS) {
    const batch = posts.slice(collected.length, collected.length + TEXTS_BATCH);
    const beginnings = await texts(batch);
    for (const { contentVersion } of batch) {
      const text = beginnings.get(contentVersion) ?? '';
      collected.push(text);
      length += text.length;
    }
  }
  const isComplete = changed.isComplete && collected.every(isWhole);
  return { ...changed, isComplete, posts, texts: collected };
}

/** A text as long as a beginning may be is taken for one. */
const isWhole = (text: string): boolean => text.length < MAX_TEXT || [...text].length < MAX_TEXT;
