import { afterEach, beforeEach, expect, test } from 'vitest';
import * as cards from '../../../server/store/cards.ts';
import { type Db, openDatabase } from '../../../server/store/database.ts';
import { migrate } from '../../../server/store/migrate.ts';

let db: Db;
beforeEach(async () => {
  db = openDatabase({ file: ':memory:', transactions: 'immediate', durable: false });
  await migrate(db);
});
afterEach(() => db.destroy());

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const due = async (seconds: number, limit = 10) =>
  (await cards.findDueCards(db, at(seconds), limit)).map(
    ({ postId, attempts }) => `${postId}, tried ${attempts}`,
  );

test('cards are due at once, the longest waiting first, as many as are asked for', async () => {
  await cards.addPendingCards(db, 'blog', ['late'], at(2));
  await cards.addPendingCards(db, 'blog', ['early'], at(1));
  await cards.addPendingCards(db, 'blog', [], at(1));
  expect(await due(0)).toEqual([]);
  expect(await due(2)).toEqual(['early, tried 0', 'late, tried 0']);
  expect(await due(2, 1)).toEqual(['early, tried 0']);
});

test('a card that could not be drawn waits for its time, and counts how often it was tried', async () => {
  await cards.addPendingCards(db, 'blog', ['p'], at(1));
  await cards.postponeCard(db, { blogId: 'blog', postId: 'p', attempts: 0 }, at(5));
  expect(await due(4)).toEqual([]);
  expect(await due(5)).toEqual(['p, tried 1']);
});

test('a post that is pressed again has its card tried at once', async () => {
  await cards.addPendingCards(db, 'blog', ['p'], at(1));
  await cards.postponeCard(db, { blogId: 'blog', postId: 'p', attempts: 0 }, at(500));
  await cards.addPendingCards(db, 'blog', ['p'], at(2));
  expect(await due(2)).toEqual(['p, tried 0']);
});

test('a card is pending, for its post and its blog, until it is removed', async () => {
  await cards.addPendingCards(db, 'blog', ['p', 'q'], at(1));
  expect(await cards.hasPendingCards(db, 'blog', 'p')).toBe(true);
  await cards.removePendingCard(db, { blogId: 'blog', postId: 'p', attempts: 0 });
  expect(await cards.hasPendingCards(db, 'blog', 'p')).toBe(false);
  expect(await cards.hasPendingCards(db, 'blog')).toBe(true);
  expect(await cards.hasPendingCards(db, 'other')).toBe(false);
  expect(await due(1)).toEqual(['q, tried 0']);
});

test('a blog may await cards of any number of posts at once', async () => {
  const posts = Array.from({ length: 20_000 }, (_, n) => `post-${n}`);
  await cards.addPendingCards(db, 'blog', posts, at(1));
  expect(await due(1, 50_000)).toHaveLength(posts.length);
});
