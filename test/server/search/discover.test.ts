// Slow: starts a whole server.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordCheck, registerDomain } from '../../../server/domains/store.ts';
import type { TierName } from '../../../server/tiers/tier.ts';
import { newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

const discover = (query: string) => platen.call('GET', `/discover?${query}`, undefined, { key: null });
const slugsOf = async (query: string): Promise<string[]> => {
  const answer = await discover(query);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.data.map(({ slug }: { slug: string }) => slug).sort();
};

it('discover finds published posts of all blogs without a key, and gives their addresses', async () => {
  const [one, two] = [await newAuthor(platen, 'free'), await newAuthor(platen, 'creator')];
  await one.post({ slug: 'one', title: 'Axolotl', content: 'Some words.', tags: ['water'] });
  await two.post({ slug: 'two', title: 'An axolotl', content: 'Other words.' });
  await two.post({ slug: 'draft', title: 'Axolotl', status: 'draft' });
  const { status, json } = await discover('q=axolotl');
  expect(status).toBe(200);
  const { host } = new URL(platen.origin);
  expect(json.data.sort((a: { slug: string }, b: { slug: string }) => a.slug.localeCompare(b.slug))).toEqual([
    {
      slug: 'one',
      title: 'Axolotl',
      excerpt: 'Some words.',
      tags: ['water'],
      created_at: expect.stringMatching(/Z$/),
      blog_name: `Blog ${one.blogSlug.split('-')[1]}`,
      blog_domain: `${one.blogSlug}.${host}`,
      url: `http://${one.blogSlug}.${host}/one/`,
      llms_txt_url: null,
    },
    expect.objectContaining({
      slug: 'two',
      url: `http://${two.blogSlug}.${host}/two/`,
      llms_txt_url: `http://${two.blogSlug}.${host}/llms.txt`,
    }),
  ]);
  expect(json.pagination).toEqual({ page: 1, per_page: 20, total: 2, total_pages: 1 });
});

it.each<[TierName, boolean]>([
  ['free', false],
  ['starter', false],
  ['creator', true],
  ['scale', true],
  ['enterprise', true],
])('discover links to llms.txt of a blog on the %s plan: %s', async (tier, leads) => {
  const author = await newAuthor(platen, tier);
  await author.post({ title: `Llama of ${tier}` });
  const [post] = (await discover(`q=llama+${tier}`)).json.data;
  expect(post.llms_txt_url !== null).toBe(leads);
});

it('discover gives a blog’s own domain once it is active', async () => {
  const author = await newAuthor(platen);
  await author.post({ slug: 'post', title: 'Pangolin' });
  const { db, clock } = platen.services;
  await registerDomain(db, author.blogId, 'blog.example.org', clock.now());
  const first = async () => (await discover('q=pangolin')).json.data[0];
  expect((await first()).blog_domain).toMatch(/localhost/);
  const check = { status: 'active', missedSince: null, dueAt: clock.now() } as const;
  await recordCheck(db, author.blogId, check);
  expect(await first()).toMatchObject({
    blog_domain: 'blog.example.org',
    url: 'http://blog.example.org/post/',
    llms_txt_url: 'http://blog.example.org/llms.txt',
  });
});

it('discover can be filtered by a whole tag, in any case', async () => {
  const author = await newAuthor(platen);
  await author.post({ slug: 'both', title: 'Tapir', tags: ['Machine Learning', 'ai'] });
  await author.post({ slug: 'half', title: 'Tapir', tags: ['machine'] });
  await author.post({ slug: 'han', title: 'Tapir', tags: ['東京'] });
  await author.post({ slug: 'plus', title: 'Tapir', tags: ['c++'] });
  await author.post({ slug: 'none', title: 'Tapir machine learning' });
  const narrowed = (tag: string) => slugsOf(`q=tapir&tag=${encodeURIComponent(tag)}`);
  expect(await narrowed('machine learning')).toEqual(['both']);
  expect(await narrowed('MACHINE')).toEqual(['half']);
  expect(await narrowed('learning')).toEqual([]);
  expect(await narrowed('東京')).toEqual(['han']);
  expect(await narrowed('東')).toEqual([]);
  expect(await narrowed('C++')).toEqual(['plus']);
  expect(await narrowed('"')).toEqual([]);
  expect(await narrowed('')).toEqual(['both', 'half', 'han', 'none', 'plus']);
  expect((await discover('q=tapir&tag=ai')).json.pagination.total).toBe(1);
});

it('discover refuses a tag over 50 characters', async () => {
  const of = (count: number) => discover(`q=a&tag=${encodeURIComponent('é'.repeat(count))}`);
  expect((await of(50)).status).toBe(200);
  expectRefusal(await of(51), 400, /^tag: must be at most 50/);
});

it('discover has pages of 20 by default, and of at most 50', async () => {
  const author = await newAuthor(platen);
  for (let n = 1; n <= 51; n += 1) await author.post({ title: 'Turnstone' });
  const page = async (query: string) => {
    const { json } = await discover(`q=turnstone${query}`);
    return [json.data.length, json.pagination];
  };
  expect(await page('')).toEqual([20, { page: 1, per_page: 20, total: 51, total_pages: 3 }]);
  expect(await page('&page=3')).toEqual([11, { page: 3, per_page: 20, total: 51, total_pages: 3 }]);
  expect(await page('&per_page=50&page=2')).toEqual([
    1,
    { page: 2, per_page: 50, total: 51, total_pages: 2 },
  ]);
  expect(await page('&per_page=51')).toEqual([50, { page: 1, per_page: 50, total: 51, total_pages: 2 }]);
});

it('discover ranks the newest ten thousand posts with a common word, and lists older ones after them', async () => {
  const { db } = platen.services;
  const author = await newAuthor(platen);
  await author.post({ slug: 'oldest-but-best', title: 'Starling' });
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into posts (id, blog_id, slug, title, tags, status, created_at, updated_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
      select 'filler-' || i, ${author.blogId}, 'filler-' || i, 'Filler', '[]', 'published', '2026-01-01T00:00:00.000Z', '' from n
    `.execute(tx);
    await sql`insert into search_rows (post_id, excerpt) select id, '' from posts where id like 'filler-%' order by rowid`.execute(
      tx,
    );
    await sql`
      insert into search_words (rowid, title, description)
      select id, iif(post_id = 'filler-7', 'starling', 'a'), 'starling' from search_rows where post_id like 'filler-%'
    `.execute(tx);
  });
  const first = await author.call('GET', '/discover?q=starling');
  expect(first.json.pagination).toMatchObject({ total: 10_001, total_pages: 501 });
  expect(first.json.data[0].slug).toBe('filler-7');
  expect(first.json.data[1].slug).toBe('filler-10000');
  const last = await author.call('GET', '/discover?q=starling&page=501');
  expect(last.json.data).toMatchObject([{ slug: 'oldest-but-best' }]);
});
