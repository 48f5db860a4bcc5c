// Slow: starts a whole server, and creates many blogs, each of which is built.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TierName } from '../../../server/tiers/tier.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
let key: string;
beforeAll(async () => {
  platen = await startTestPlaten();
  key = (await platen.account({ tier: 'enterprise' })).key;
});
afterAll(() => platen.close());

const create = (fields: object) => platen.call('POST', '/blogs', { name: 'N', ...fields }, { key });
const list = async (withKey: string) =>
  (await platen.call('GET', '/blogs', undefined, { key: withKey })).json.data;

describe('creating a blog', () => {
  it('a new blog has an address, and a front page once the client has waited', async () => {
    const body = { slug: 'gazette', name: 'The Gazette', description: 'All the news.' };
    const { status, headers, json } = await platen.call('POST', '/blogs', body, {
      key,
      headers: { Prefer: 'wait=60' },
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.any(String),
      slug: 'gazette',
      name: 'The Gazette',
      url: `http://gazette.${new URL(platen.origin).host}/`,
      created_at: expect.any(String),
      rebuild_id: expect.any(String),
    });
    expect(headers.get('preference-applied')).toBe('wait=60');
    const front = await platen.read('gazette', '/');
    expect(front.status).toBe(200);
    expect(front.text).toContain('The Gazette');
    expect(front.text).toContain('All the news.');
  });

  it.each(['a', '7', 'a-b', 'a--b', '2026', 'b'.repeat(63), 'wwww'])(
    'a blog may have the slug %s',
    async (slug) => {
      expect((await create({ slug })).json.slug).toBe(slug);
    },
  );

  it.each([
    '',
    'b'.repeat(64),
    '-a',
    'a-',
    '-',
    'A',
    'a.b',
    'a_b',
    'a b',
    'ä',
    '../a',
    'a/b',
    'a\n',
    7,
    null,
  ])('a blog may not have the slug %j', async (slug) =>
    expectRefusal(await create({ slug }), 400, /^slug: /),
  );

  it.each(['www', 'api', 'admin', 'dashboard', 'docs', 'media', 'status', 'blog', 'xn--a', 'xn--80ak6aa92e'])(
    'the slug %s is reserved',
    async (slug) => expectRefusal(await create({ slug }), 400, /^slug: .*reserved/),
  );

  it('a slug that any account uses is refused', async () => {
    expectRefusal(await create({ slug: 'starter' }), 409, /"starter" is taken/);
    await create({ slug: 'own' });
    expectRefusal(await create({ slug: 'own' }), 409, /"own" is taken/);
  });

  it.each([
    ['200 characters of name', 'name', 'ñ'.repeat(200), 'ñ'.repeat(201), /^name: .*200/],
    ['200 emoji of name', 'name', '🗞'.repeat(200), '🗞'.repeat(201), /^name: .*200/],
    [
      '1000 characters of description',
      'description',
      'd'.repeat(1000),
      'd'.repeat(1001),
      /^description: .*1000/,
    ],
    ['1000 emoji of description', 'description', '🗞'.repeat(1000), '🗞'.repeat(1001), /^description: .*1000/],
  ])('a new blog may have %s and no more', async (name, field, most, tooMuch, message) => {
    const slug = name.replaceAll(' ', '-');
    expectRefusal(await create({ slug, [field]: tooMuch }), 400, message);
    expect((await create({ slug, [field]: most })).status).toBe(201);
    expect((await list(key)).at(-1)[field]).toBe(most);
  });

  it('a new blog needs a slug and a name', async () => {
    expectRefusal(await create({}), 400, /^slug: /);
    expectRefusal(await create({ slug: 'nameless', name: undefined }), 400, /^name: /);
    expectRefusal(await create({ slug: 'nameless', name: '  ' }), 400, /^name: must not be empty/);
  });

  it.each<[TierName, number]>([
    ['free', 1],
    ['starter', 1],
    ['creator', 3],
    ['scale', 5],
  ])('the %s plan allows %i blogs, and the next is refused', async (tier, blogs) => {
    const account = await platen.account({ tier });
    const createNth = (n: number) =>
      platen.call('POST', '/blogs', { slug: `${tier}-${n}`, name: 'N' }, { key: account.key });
    for (let n = 1; n <= blogs; n += 1) expect((await createNth(n)).status).toBe(201);
    const refused = await createNth(blogs + 1);
    expectRefusal(refused, 403, new RegExp(`${tier} plan .* ${blogs} blog`), ['upgrade_url']);
    expect(refused.json.upgrade_url).toMatch(/^http/);
    expect(await list(account.key)).toHaveLength(blogs);
  });
});

describe('listing blogs', () => {
  it('the list holds the account’s own blogs, oldest first, with all fields', async () => {
    const account = await platen.account({ tier: 'creator' });
    expect(await list(account.key)).toEqual([]);
    for (const slug of ['second-by-name', 'first-by-name']) {
      await platen.call('POST', '/blogs', { slug, name: `The ${slug}` }, { key: account.key });
    }
    const expected = (slug: string) => ({
      id: expect.any(String),
      slug,
      name: `The ${slug}`,
      description: '',
      custom_domain: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await list(account.key)).toEqual([expected('second-by-name'), expected('first-by-name')]);
  });
});
