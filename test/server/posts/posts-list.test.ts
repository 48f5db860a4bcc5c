// Slow: starts a whole server.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
let author: Author;

/** Created as a, b, c, d; published as c, a, d; changed last: b. */
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
  const steps = [
    () => author.post({ slug: 'a', status: 'draft', tags: ['Rust', 'Web'] }),
    () => author.post({ slug: 'b', status: 'draft', tags: ['rust'] }),
    () => author.post({ slug: 'c' }),
    () => author.call('POST', '/posts/a/publish'),
    () => author.post({ slug: 'd', tags: ['日本'] }),
    () => author.call('PUT', '/posts/b', { title: 'Changed' }),
  ];
  // Timestamps have milliseconds; posts must not share one if the test distinguishes them.
  for (const step of steps) await step().then(() => delay(3));
});
afterAll(() => platen.close());

const list = (query: string) => author.call('GET', `/posts${query}`);
const slugs = async (query: string): Promise<string> =>
  (await list(query)).json.data.map(({ slug }: { slug: string }) => slug).join(' ');

describe('listing posts', () => {
  it('a listed post has exactly the fields of the list form', async () => {
    const { status, json } = await list('?tag=web');
    expect(status).toBe(200);
    const { data } = json;
    const { id, title, slug, tags, published_at, created_at, updated_at } = (
      await author.call('GET', '/posts/a')
    ).json;
    expect(data).toEqual([
      {
        id,
        title,
        slug,
        status: 'published',
        tags,
        meta_description: 'Some words.',
        published_at,
        created_at,
        updated_at,
      },
    ]);
  });

  it('posts are listed newest first by default', async () => {
    expect(await slugs('')).toBe('d c b a');
    expect((await list('')).json.pagination).toEqual({ page: 1, per_page: 20, total: 4, total_pages: 1 });
  });

  it.each([
    ['created_at', 'asc', 'a b c d'],
    ['created_at', 'desc', 'd c b a'],
    ['updated_at', 'asc', 'c a d b'],
    ['updated_at', 'desc', 'b d a c'],
  ])('posts are sorted by %s, %s', async (sort, order, expected) => {
    expect(await slugs(`?sort=${sort}&order=${order}`)).toBe(expected);
  });

  it.each([
    ['asc', 'c a d'],
    ['desc', 'd a c'],
  ])('posts are sorted by published_at, %s', async (order, expected) => {
    expect(await slugs(`?sort=published_at&order=${order}&status=published`)).toBe(expected);
  });

  it.each([
    ['status=draft', 'b'],
    ['status=published', 'd c a'],
    ['status=scheduled', ''],
    ['tag=Rust', 'b a'],
    ['tag=RUST', 'b a'],
    ['tag=%E6%97%A5%E6%9C%AC', 'd'],
    ['tag=rust&status=published', 'a'],
    ['tag=unknown', ''],
    ["tag=rust'%20or%20''='", ''],
    ['tag=', 'd c b a'],
    ['unknown=x', 'd c b a'],
  ])('posts are filtered by %s', async (query, expected) => {
    const { json } = await list(`?${query}`);
    const found = json.data.map(({ slug }: { slug: string }) => slug);
    expect(found.join(' ')).toBe(expected);
    expect(json.pagination.total).toBe(found.length);
  });

  it('a list never holds posts of another account’s blog', async () => {
    const other = await newAuthor(platen);
    const { json } = await other.call('GET', '/posts');
    expect(json).toEqual({ data: [], pagination: { page: 1, per_page: 20, total: 0, total_pages: 0 } });
  });
});

describe('the pages of a post list', () => {
  it('paging returns each post once, and says how many pages there are', async () => {
    const pages = [await list('?per_page=3'), await list('?per_page=3&page=2')];
    expect(pages.map(({ json }) => json.pagination)).toEqual([
      { page: 1, per_page: 3, total: 4, total_pages: 2 },
      { page: 2, per_page: 3, total: 4, total_pages: 2 },
    ]);
    expect(pages.flatMap(({ json }) => json.data).map(({ slug }) => slug)).toEqual(['d', 'c', 'b', 'a']);
  });

  it.each([2, 999_999_999])('a page beyond the end is empty: page %i', async (page) => {
    const { status, json } = await list(`?page=${page}`);
    expect(status).toBe(200);
    expect(json).toEqual({ data: [], pagination: { page, per_page: 20, total: 4, total_pages: 1 } });
  });

  it.each([
    [1, 1],
    [100, 100],
    [101, 100],
    [999_999_999, 100],
  ])('per_page=%i is treated as %i', async (asked, given) => {
    const { status, json } = await list(`?per_page=${asked}`);
    expect(status).toBe(200);
    expect(json.pagination.per_page).toBe(given);
    expect(json.data.length).toBe(Math.min(given, 4));
  });

  it.each(['0', '-1', 'NaN', '1e9', '1.5', '', '٣', '99999999999999999999', '1&PARAM=2'])(
    'page and per_page refuse %j',
    async (value) => {
      for (const name of ['page', 'per_page']) {
        const query = `?${name}=${value.replace('PARAM', name)}`;
        expectRefusal(await list(query), 400, new RegExp(`^${name}: `));
      }
    },
  );

  it.each([
    ['status', 'deleted'],
    ['sort', 'title'],
    ['sort', 'created_at;drop'],
    ['order', 'up'],
    ['tag', 'x'.repeat(51)],
    ['tag', 'a%00b'],
  ])('the parameter %s=%s is refused by name', async (name, value) => {
    expectRefusal(await list(`?${name}=${value}`), 400, new RegExp(`^${name}: `));
  });

  it('a refusal lists the valid values', async () => {
    expectRefusal(await list('?status=deleted'), 400, /^status: must be draft, published, or scheduled$/);
    expectRefusal(await list('?order=up'), 400, /^order: must be desc or asc$/);
  });
});
