import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';
import * as cards from '../../../server/rebuilds/pending-cards.ts';

let db: Db;
beforeEach(async () => {
  db = openDatabase({ file: ':memory:', transactions: 'immediate', durable: false });
  await migrate(db);
});
afterEach(() => db.destroy());

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
/** Order in which cards are drawn, starting after the given blog. */
async function due(seconds: number, { after = '', atMost = 10 } = {}): Promise<string[]> {
  const drawn: string[] = [];
  const except: string[] = [];
  let turn = after;
  while (drawn.length < atMost) {
    const card = await cards.findNextCard(db, at(seconds), { after: turn, except });
    if (!card) break;
    drawn.push(`${card.postId}, tried ${card.attempts}`);
    except.push(card.postId);
    turn = card.blogId;
  }
  return drawn;
}

test('cards of a blog are due at once, newest first, except those being drawn', async () => {
  await cards.addPendingCards(db, 'blog', ['early'], at(1));
  await cards.addPendingCards(db, 'blog', ['late'], at(2));
  await cards.addPendingCards(db, 'blog', [], at(1));
  expect(await due(0)).toEqual([]);
  expect(await due(2)).toEqual(['late, tried 0', 'early, tried 0']);
});

test('blogs alternate, however many cards one of them has', async () => {
  await cards.addPendingCards(db, 'b', ['b-1', 'b-2', 'b-3'], at(1));
  await cards.addPendingCards(db, 'c', ['c-1'], at(9));
  await cards.addPendingCards(db, 'a', ['a-1'], at(9));
  const blogs = (await due(9, { after: 'a' })).map(([blog]) => blog);
  expect(blogs).toEqual(['b', 'c', 'a', 'b', 'b']);
});

test('a card that failed waits for its retry, and its attempts are counted', async () => {
  await cards.addPendingCards(db, 'blog', ['p'], at(1));
  await cards.postponeCard(db, { blogId: 'blog', postId: 'p', attempts: 0 }, at(5));
  expect(await due(4)).toEqual([]);
  expect(await due(5)).toEqual(['p, tried 1']);
});

test('a rebuilt post has its card retried at once', async () => {
  await cards.addPendingCards(db, 'blog', ['p'], at(1));
  await cards.postponeCard(db, { blogId: 'blog', postId: 'p', attempts: 0 }, at(500));
  await cards.addPendingCards(db, 'blog', ['p'], at(2));
  expect(await due(2)).toEqual(['p, tried 0']);
});

test('a card is pending for its post and its blog until it is removed', async () => {
  await cards.addPendingCards(db, 'blog', ['p', 'q'], at(1));
  expect(await cards.hasPendingCards(db, 'blog', 'p')).toBe(true);
  await cards.removePendingCard(db, { blogId: 'blog', postId: 'p', attempts: 0 });
  expect(await cards.hasPendingCards(db, 'blog', 'p')).toBe(false);
  expect(await cards.hasPendingCards(db, 'blog')).toBe(true);
  expect(await cards.hasPendingCards(db, 'other')).toBe(false);
  expect(await due(1)).toEqual(['q, tried 0']);
});

test('a blog may have any number of pending cards', async () => {
  const posts = Array.from({ length: 20_000 }, (_, n) => `post-${n}`);
  await cards.addPendingCards(db, 'blog', posts, at(1));
  expect((await cards.findPostsWithPendingCards(db, 'blog')).size).toBe(posts.length);
});
