// Slow: starts a whole server.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  const tiers = {
    free: { posts: 2, blogs: 2, requestsPerHour: 15, indexable: true },
    starter: { posts: 1, requestsPerHour: 5 },
  };
  platen = await startTestPlaten({ PLATEN_TIERS: JSON.stringify(tiers) });
});
afterAll(() => platen.close());

it('the operator’s limits replace those of the interface', async () => {
  const author = await newAuthor(platen, 'free');
  for (const slug of ['one', 'two']) await author.post({ slug }, { Prefer: 'wait=60' });
  const third = await author.call('POST', '/posts', { title: 'T', content: 'x' });
  expectRefusal(third, 403, /free plan .* 2 posts in total/, ['upgrade_url']);
  expect((await author.call('POST', '/blogs', { slug: 'second', name: 'S' })).status).toBe(201);
  const blog = await author.call('POST', '/blogs', { slug: 'third', name: 'T' });
  expectRefusal(blog, 403, /free plan .* 2 blogs/, ['upgrade_url']);
  expect((await platen.read(author.blogSlug, '/one/')).text).not.toContain('noindex');
});

it('the operator’s request rate applies, and responses report it', async () => {
  const { key } = await platen.account({ tier: 'starter' });
  const ask = () => platen.call('GET', '/blogs', undefined, { key });
  for (let left = 4; left >= 0; left -= 1) {
    const { status, headers } = await ask();
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, '5']);
    expect(headers.get('x-ratelimit-remaining')).toBe(String(left));
  }
  expectRefusal(await ask(), 429, /starter plan allows 5 requests/, ['retry_after']);
});
