// Slow: starts a builder thread, builds a search index, and compares the whole edge.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { postponeCard } from '../../../server/rebuilds/pending-cards.ts';
import { postponeSearchIndex } from '../../../server/search-index/store.ts';
import { type Newsroom, openNewsroom } from '../../support/newsroom.ts';
import { hurryBase } from '../../support/plain-search-indexes.ts';

const LATER = '9000-01-01T00:00:00.000Z';

let room: Newsroom;
let blog: Blog;

beforeEach(async () => {
  room = await openNewsroom();
  blog = await room.newBlog('ink');
  await room.publish(blog, 'One');
  await room.untilIdle();
  await hurryBase(room, blog);
  await room.untilIdle();
  await room.stop();
});
afterEach(() => room.close());

async function found(): Promise<string[]> {
  const { drift } = await room.upkeep((upkeep) => upkeep.verify({ blog: null, quick: false }));
  return drift.map(({ kind }) => kind);
}

it.each([
  ['has an uncertain write', 'uncertain'],
  ['has not been started', 'outdated'],
])('a card that %s is not a difference as long as it is retried', async (_when, kind) => {
  const { db } = room.services;
  const rows = await db.selectFrom('posts').select('id').where('blog_id', '=', blog.id).execute();
  const [postId = ''] = rows.map(({ id }) => id);
  const card = { blogId: blog.id, postId, attempts: 0 };
  await db
    .insertInto('pending_cards')
    .values({ blog_id: blog.id, post_id: postId, attempts: 0, due_at: '' })
    .execute();
  const { path } = await db
    .selectFrom('manifest')
    .select('path')
    .where('page', '=', `card:${postId}`)
    .executeTakeFirstOrThrow();
  await room.edge.remove([`sites/ink/${path}`]);
  if (kind === 'outdated') await db.deleteFrom('manifest').where('path', '=', path).execute();
  else await db.updateTable('manifest').set({ hash: '' }).where('path', '=', path).execute();
  await postponeCard(db, card, LATER);
  expect(await found()).toEqual([]);
  await postponeCard(db, { ...card, attempts: 1 }, null);
  expect(await found()).toEqual([kind]);
});

it('an interrupted search index is not a difference as long as it is retried', async () => {
  const { db } = room.services;
  await db.updateTable('manifest').set({ hash: '' }).where('page', 'like', 'base:%').execute();
  await postponeSearchIndex(db, { blogId: blog.id, attempts: 0 }, LATER);
  expect(await found()).toEqual([]);
  await postponeSearchIndex(db, { blogId: blog.id, attempts: 1 }, null);
  expect(new Set(await found())).toEqual(new Set(['uncertain']));
});
