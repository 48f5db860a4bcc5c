// Slow: starts a whole server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TierName } from '../../../server/tiers/tier.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

const buy = (author: Author, pack_type: unknown) => author.call('POST', '/packs/purchase', { pack_type });
const balance = async (author: Author) => (await author.call('GET', '/packs/balance')).json;
const create = (author: Author) => author.call('POST', '/posts', { title: 'T', content: 'C' });

const setTier = (author: Author, tier: TierName) =>
  platen.services.db.updateTable('accounts').set({ tier }).where('id', '=', author.accountId).execute();

/** Sets the number of posts that the account has created this month. */
async function useQuota(author: Author, posts: number): Promise<void> {
  const month = platen.services.clock.now().slice(0, 7);
  const row = { account_id: author.accountId, month, posts };
  await platen.services.db
    .insertInto('monthly_posts')
    .values(row)
    .onConflict((oc) => oc.columns(['account_id', 'month']).doUpdateSet({ posts }))
    .execute();
}

/** Expects that this many posts of the month count against the quota. */
async function expectQuotaUsed(author: Author, posts: number): Promise<void> {
  const row = await platen.services.db
    .selectFrom('monthly_posts')
    .select('posts')
    .where('account_id', '=', author.accountId)
    .executeTakeFirst();
  expect(row?.posts).toBe(posts);
}

/** Uses up all packs but for these balances. */
async function leave(author: Author, ...balances: number[]): Promise<void> {
  const { packs } = await balance(author);
  for (const [n, { id }] of packs.entries()) {
    await platen.services.db
      .updateTable('packs')
      .set({ balance: balances[n] ?? 0 })
      .where('id', '=', id)
      .execute();
  }
}

describe('buying a pack', () => {
  it('a pack credits its posts at once', async () => {
    const author = await newAuthor(platen, 'starter');
    expect(await balance(author)).toEqual({ total_remaining: 0, packs: [] });
    const first = await buy(author, '100');
    expect([first.status, first.json]).toEqual([200, { purchased: true, pack_type: '100', balance: 100 }]);
    expect((await buy(author, '300')).json).toEqual({ purchased: true, pack_type: '300', balance: 400 });
    const { total_remaining, packs } = await balance(author);
    expect(total_remaining).toBe(400);
    const pack = (posts: number) => ({
      id: expect.any(String),
      balance: posts,
      purchased_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(packs).toEqual([pack(100), pack(300)]);
  });

  it.each([undefined, null, 100, '', '50', '200', ['100'], { posts: 100 }, '100 '])(
    'packs have 100 or 300 posts, and never %j',
    async (size) => {
      const author = await newAuthor(platen, 'starter');
      expectRefusal(await buy(author, size), 400, /^pack_type: /);
      expect(await balance(author)).toEqual({ total_remaining: 0, packs: [] });
    },
  );

  it('packs are not available on the free plan', async () => {
    const author = await newAuthor(platen, 'free');
    for (const refused of [await buy(author, '100'), await author.call('GET', '/packs/balance')]) {
      expectRefusal(refused, 403, /free plan .*packs/, ['upgrade_url']);
      expect(refused.json.upgrade_url).toBe(`${platen.origin}/dashboard/billing`);
    }
    await setTier(author, 'starter');
    expect((await balance(author)).total_remaining).toBe(0);
  });

  it('packs need scopes of their own', async () => {
    const reader = await platen.account({ tier: 'starter', scopes: ['packs:read'] });
    const writer = await platen.account({ tier: 'starter', scopes: ['packs:write'] });
    const body = { pack_type: '100' };
    expectRefusal(await platen.call('POST', '/packs/purchase', body, reader), 403, /packs:write/);
    expectRefusal(await platen.call('GET', '/packs/balance', undefined, writer), 403, /packs:read/);
    expect((await platen.call('POST', '/packs/purchase', body, writer)).status).toBe(200);
    expect((await platen.call('GET', '/packs/balance', undefined, reader)).json.total_remaining).toBe(0);
  });
});

describe('using a pack', () => {
  it('a pack is used once the quota of the month is exhausted', async () => {
    const author = await newAuthor(platen, 'starter');
    await buy(author, '100');
    await useQuota(author, 14);
    expect((await create(author)).status).toBe(201);
    expect((await balance(author)).total_remaining).toBe(100);
    expect((await create(author)).status).toBe(201);
    expect((await balance(author)).total_remaining).toBe(99);
  });

  it('packs are used one after another, oldest first, and a used-up pack is no longer listed', async () => {
    const author = await newAuthor(platen, 'starter');
    for (const size of ['100', '300', '100']) await buy(author, size);
    await useQuota(author, 15);
    await leave(author, 2, 3, 4);
    const left: number[][] = [];
    for (let n = 0; n < 9; n += 1) {
      expect((await create(author)).status).toBe(201);
      left.push((await balance(author)).packs.map((pack: { balance: number }) => pack.balance));
    }
    expect(left).toEqual([[1, 3, 4], [3, 4], [2, 4], [1, 4], [4], [3], [2], [1], []]);
    expectRefusal(await create(author), 403, /starter plan .*15 posts a month/, ['upgrade_url']);
  });

  it('a pack pays for a post published at once, and for no refused post', async () => {
    const author = await newAuthor(platen, 'starter');
    await buy(author, '100');
    await useQuota(author, 15);
    await author.post({ slug: 'paid', status: 'published' });
    expect((await author.call('POST', '/posts', { title: 'T', content: 'C', slug: 'paid' })).status).toBe(
      409,
    );
    expect((await author.call('POST', '/posts', { title: 'T' })).status).toBe(400);
    expect((await balance(author)).total_remaining).toBe(99);
  });

  it('publishing drafts needs no pack', async () => {
    const author = await newAuthor(platen, 'starter');
    await buy(author, '100');
    await useQuota(author, 15);
    const { slug } = await author.post({ status: 'draft' });
    expect((await author.call('POST', `/posts/${slug}/publish`)).status).toBe(200);
  });

  it('posts paid by a pack do not count against the quota of a larger plan', async () => {
    const author = await newAuthor(platen, 'starter');
    await buy(author, '100');
    await useQuota(author, 15);
    for (let n = 0; n < 3; n += 1) await create(author);
    await setTier(author, 'creator');
    await expectQuotaUsed(author, 15);
    expect((await create(author)).status).toBe(201);
    expect((await balance(author)).total_remaining).toBe(97);
  });

  it('a pack is not used on a plan without a limit', async () => {
    const author = await newAuthor(platen, 'scale');
    await buy(author, '100');
    await useQuota(author, 100_000);
    expect((await create(author)).status).toBe(201);
    expect((await balance(author)).total_remaining).toBe(100);
  });

  it('a pack is kept and not used on the free plan', async () => {
    const author = await newAuthor(platen, 'starter');
    await buy(author, '100');
    for (let n = 0; n < 10; n += 1) await author.post({ status: 'draft' });
    await setTier(author, 'free');
    expectRefusal(await create(author), 403, /free plan .*10 posts/, ['upgrade_url']);
    await setTier(author, 'starter');
    expect((await balance(author)).total_remaining).toBe(100);
  });

  it('a pack belongs to one account', async () => {
    const [one, other] = [await newAuthor(platen, 'starter'), await newAuthor(platen, 'starter')];
    await buy(one, '100');
    await useQuota(other, 15);
    expectRefusal(await create(other), 403, /15 posts/, ['upgrade_url']);
    expect((await balance(other)).total_remaining).toBe(0);
    expect((await balance(one)).total_remaining).toBe(100);
  });

  it('simultaneous posts never overdraw a pack', async () => {
    const author = await newAuthor(platen, 'starter');
    await buy(author, '100');
    await buy(author, '100');
    await useQuota(author, 8);
    await leave(author, 11, 9);
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(author)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(7 + 11 + 9);
    expect(statuses.filter((status) => status === 403)).toHaveLength(50 - 27);
    expect(await balance(author)).toEqual({ total_remaining: 0, packs: [] });
  });

  it('packs are deleted with their account', async () => {
    const author = await newAuthor(platen, 'starter');
    await buy(author, '100');
    expect((await author.call('POST', '/account/delete')).status).toBe(200);
    const rows = await platen.services.db
      .selectFrom('packs')
      .selectAll()
      .where('account_id', '=', author.accountId)
      .execute();
    expect(rows).toEqual([]);
  });
});
