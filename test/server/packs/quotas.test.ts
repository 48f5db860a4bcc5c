// Slow: starts a whole server.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { writtenRows } from '../../support/written-rows.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

async function fill(author: Author, posts: number): Promise<void> {
  for (let n = 1; n <= posts; n += 1) await author.post({ slug: `post-${n}`, status: 'draft' });
}

async function expectFull(author: Author, message: RegExp): Promise<void> {
  const before = await writtenRows(platen.services.db);
  for (const status of ['draft', 'published']) {
    const refused = await author.call('POST', '/posts', { title: 'One more', content: 'x', status });
    expectRefusal(refused, 403, message, ['upgrade_url']);
    expect(refused.json.upgrade_url).toBe(`${platen.origin}/dashboard/billing`);
  }
  expect(await writtenRows(platen.services.db)).toEqual(before);
}

const setTier = (author: Author, tier: string) =>
  platen.services.db.updateTable('accounts').set({ tier }).where('id', '=', author.accountId).execute();

it('the free plan allows ten posts in all, and a deletion makes room', async () => {
  const author = await newAuthor(platen, 'free');
  await fill(author, 10);
  await expectFull(author, /free plan .*10 posts/);
  expect((await author.call('POST', '/posts/post-1/publish')).status).toBe(200);
  await author.call('DELETE', '/posts/post-2');
  await author.post({ status: 'draft' });
  await expectFull(author, /free plan .*10 posts/);
});

it('the starter plan allows fifteen posts a month, and a deletion makes no room', async () => {
  const author = await newAuthor(platen, 'starter');
  await fill(author, 15);
  await expectFull(author, /starter plan .*15 posts a month/);
  await author.call('DELETE', '/posts/post-1');
  await expectFull(author, /starter plan .*15 posts a month/);
  // Moves all posts to last month.
  const ofAuthor = platen.services.db.updateTable('monthly_posts').where('account_id', '=', author.accountId);
  await ofAuthor.set({ month: '2001-01' }).execute();
  await author.post({ status: 'draft' });
});

it('a refused post does not count', async () => {
  const author = await newAuthor(platen, 'starter');
  await fill(author, 14);
  expect((await author.call('POST', '/posts', { title: 'T', content: 'C', slug: 'post-1' })).status).toBe(
    409,
  );
  expect((await author.call('POST', '/posts', { title: 'T' })).status).toBe(400);
  await author.post({ status: 'draft' });
});

it('simultaneous posts cannot exceed the limit together', async () => {
  const author = await newAuthor(platen, 'free');
  await fill(author, 7);
  const body = { title: 'At once', content: 'x' };
  const answers = await Promise.all(Array.from({ length: 8 }, () => author.call('POST', '/posts', body)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
});

it('an account over its limit after a downgrade cannot publish', async () => {
  const author = await newAuthor(platen, 'creator');
  await fill(author, 11);
  await setTier(author, 'free');
  const publish = () => author.call('POST', '/posts/post-1/publish');
  expectRefusal(await publish(), 403, /free plan .*10 posts/, ['upgrade_url']);
  await author.call('DELETE', '/posts/post-11');
  expect((await publish()).status).toBe(200);
});
