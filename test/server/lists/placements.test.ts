import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { monthOf } from '../../../generator/site/list.ts';
import type { Placement } from '../../../generator/site/placement.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { findListSizes, MAX_SIZES } from '../../../server/lists/list-sizes.ts';
import { findPlacement, findPlacements } from '../../../server/lists/placements.ts';
import type { PostInput } from '../../../server/posts/post.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let blog: Blog;
let blogs = 0;
beforeAll(async () => {
  workshop = await openWorkshop();
});
beforeEach(async () => {
  blog = await workshop.newBlog(`blog-${++blogs}`);
});
afterAll(() => workshop.close());

const create = async (slug: string, fields: Partial<PostInput> = {}) => {
  const meta = { description: null, ogImage: null };
  const post = { title: slug, slug, content: 'x', tags: [], status: 'published', meta, ...fields } as const;
  return (await workshop.services.posts.create(workshop.caller, blog, post)).id;
};
const update = (slug: string, patch: Parameters<Workshop['services']['posts']['update']>[2]) =>
  workshop.services.posts.update(blog, slug, patch);
const remove = (slug: string) => workshop.services.posts.remove(blog, slug);

const place = (id: string): Promise<Placement | null> => findPlacement(workshop.services.db, id);
const pageNumberOf = async (id: string) => (await place(id))?.pageNumber;
const tagPagesOf = async (id: string) =>
  Object.fromEntries(
    ((await place(id)) ?? expect.fail('not published')).lists
      .filter(({ list }) => monthOf(list) === null)
      .map(({ list, pageNumber }) => [list, pageNumber]),
  );

/** Publishes posts `from` to `to`, and resolves to their ids. */
async function publishMany(from: number, to: number, tags: readonly string[] = []): Promise<string[]> {
  const ids: string[] = [];
  for (let n = from; n <= to; n++) ids.push(await create(`p-${n}`, { tags }));
  return ids;
}

it('placements are found for several posts at once, each with its lists and redirects, and for no unpublished post', async () => {
  const one = await create('one', { tags: ['Ink'] });
  const two = await create('two', { tags: ['Paper', 'Ink'] });
  const draft = await create('draft', { status: 'draft', tags: ['Ink'] });
  await update('two', { slug: 'second' });
  const places = await findPlacements(workshop.services.db, [one, draft, two, 'nobody']);
  const told = places.map(({ postId, slug, redirects, lists }) => {
    const tags = lists.map(({ list }) => list).filter((list) => monthOf(list) === null);
    return { postId, slug, redirects, tags: tags.sort() };
  });
  expect(told).toHaveLength(2);
  expect(told).toContainEqual({ postId: one, slug: 'one', redirects: [], tags: ['ink'] });
  expect(told).toContainEqual({ postId: two, slug: 'second', redirects: ['two'], tags: ['ink', 'paper'] });
  expect(places).toEqual(expect.arrayContaining([await place(one), await place(two)]));
  expect(await findPlacements(workshop.services.db, [])).toEqual([]);
});

describe('the list pages of a blog', () => {
  it('a list page has ten posts, in the order of publication', async () => {
    const ids = await publishMany(1, 21);
    const pageNumbers = await Promise.all(ids.map(pageNumberOf));
    expect(pageNumbers).toEqual([...Array(10).fill(1), ...Array(10).fill(2), 3]);
  });

  it('a post keeps its list page when others are deleted, and only the newest list page is filled up', async () => {
    const ids = await publishMany(1, 12);
    await remove('p-3');
    await remove('p-11');
    expect(await pageNumberOf(ids[11] ?? '')).toBe(2);
    expect(await pageNumberOf(await create('next'))).toBe(2);
    expect(await pageNumberOf(ids[9] ?? '')).toBe(1);
  });

  it('the last list page starts again once it has lost all its posts', async () => {
    await publishMany(1, 11);
    await remove('p-11');
    expect(await pageNumberOf(await create('next'))).toBe(2);
    await remove('next');
    await remove('p-1');
    expect(await pageNumberOf(await create('last'))).toBe(1);
  });

  it('each blog has list pages of its own', async () => {
    await publishMany(1, 10);
    blog = await workshop.newBlog('own-pages');
    expect(await pageNumberOf(await create('first'))).toBe(1);
  });

  it('a draft gets its list page when it is published', async () => {
    const draft = await create('draft', { status: 'draft', tags: ['rust'] });
    expect(await place(draft)).toBeNull();
    await publishMany(1, 10, ['rust']);
    await workshop.services.publication.publish(workshop.caller, blog, 'draft');
    expect(await pageNumberOf(draft)).toBe(2);
    expect(await tagPagesOf(draft)).toEqual({ rust: 2 });
  });
});

describe('the list pages of posts with older dates', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  /** Day `n` of 2020. */
  const day = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * DAY_MS).toISOString();
  const dated = (n: number, tags: readonly string[] = []) => create(`d-${n}`, { publishedAt: day(n), tags });
  /** Days of the posts on each page of a list, in the order of the list. */
  async function pagesOf(list = ''): Promise<number[][]> {
    const rows = await workshop.services.db
      .selectFrom('placements')
      .select(['list_page', 'published_at'])
      .where('blog_id', '=', blog.id)
      .where('list', '=', list)
      .orderBy('published_at')
      .execute();
    const pages = new Map<number, number[]>();
    for (const { list_page, published_at } of rows) {
      const n = (Date.parse(published_at ?? '') - Date.UTC(2020, 0, 1)) / DAY_MS;
      pages.set(list_page ?? 0, [...(pages.get(list_page ?? 0) ?? []), n]);
    }
    return [...pages.values()];
  }
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

  it('posts that come from newest to oldest fill pages of ten', async () => {
    for (const n of range(1, 25).reverse()) await dated(n);
    expect(await pagesOf()).toEqual([range(1, 5), range(6, 15), range(16, 25)]);
  });

  it('a post between others goes on the page of its neighbours, up to fifteen on a page', async () => {
    for (const n of range(1, 20)) await dated(10 * n);
    for (const n of [51, 52, 53, 54, 55]) await dated(n);
    const first = [10, 20, 30, 40, 50, 51, 52, 53, 54, 55, 60, 70, 80, 90, 100];
    const second = range(11, 20).map((n) => 10 * n);
    expect(await pagesOf()).toEqual([first, second]);
    const id = await dated(56);
    expect(await pagesOf()).toEqual([
      first.slice(0, 8),
      [...first.slice(8, 10), 56, ...first.slice(10)],
      second,
    ]);
    // The new page has the next number, wherever it is.
    expect(await pageNumberOf(id)).toBe(3);
  });

  it('posts in random order are on pages of about ten, in order, in each of their lists', async () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const days = range(1, 300)
      .map((n) => ({ n, at: random() }))
      .sort((one, other) => one.at - other.at);
    for (const { n } of days) await dated(n, n % 2 === 0 ? ['even'] : []);
    for (const [list, expected] of [
      ['', range(1, 300)],
      ['even', range(1, 150).map((n) => 2 * n)],
    ] as const) {
      const pages = await pagesOf(list);
      // If a page had posts from two places, the pages would not follow one another.
      expect(pages.flat()).toEqual(expected);
      const sizes = pages.map(({ length }) => length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(15);
      expect(expected.length / sizes.length).toBeGreaterThan(8);
    }
  });

  it('a post that gets another date moves to its page, and other posts keep theirs', async () => {
    const ids: string[] = [];
    for (const n of range(1, 12)) ids.push(await dated(10 * n));
    await update('d-120', { publishedAt: day(15) });
    expect(await pagesOf()).toEqual([[10, 15, ...range(2, 10).map((n) => 10 * n)], [110]]);
    expect(await pageNumberOf(ids[10] ?? '')).toBe(2);
    expect((await place(ids[11] ?? ''))?.lists).toEqual([{ list: '@2020-01', pageNumber: 1 }]);
  });

  it('posts of the same moment are in the order in which they came', async () => {
    for (let n = 0; n < 20; n += 1) await create(`same-${n}`, { publishedAt: day(1) });
    expect((await pagesOf()).map(({ length }) => length)).toEqual([10, 10]);
  });
});

describe('the list pages of a tag', () => {
  it('the list pages of a tag are counted by its own posts', async () => {
    await publishMany(1, 10);
    const [first] = await publishMany(11, 20, ['rust']);
    expect([await pageNumberOf(first ?? ''), await tagPagesOf(first ?? '')]).toEqual([2, { rust: 1 }]);
    expect(await tagPagesOf(await create('eleventh', { tags: ['Rust', 'new'] }))).toEqual({
      rust: 2,
      new: 1,
    });
  });

  it('a post keeps its list page of a tag when its other tags change, and gets one for a new tag', async () => {
    const id = await create('early', { tags: ['rust', 'old'] });
    await publishMany(1, 10, ['rust', 'go']);
    await update('early', { tags: ['go', 'RUST'] });
    expect(await tagPagesOf(id)).toEqual({ rust: 1, go: 2 });
  });

  it('a post that leaves a tag and returns stands by its date', async () => {
    const id = await create('restless', { tags: ['rust'] });
    await publishMany(1, 10, ['rust']);
    await update('restless', { tags: [] });
    expect(await tagPagesOf(id)).toEqual({});
    await update('restless', { tags: ['rust'] });
    expect(await tagPagesOf(id)).toEqual({ rust: 1 });
    const fronts = await publishMany(11, 11, ['rust']);
    expect(await tagPagesOf(fronts[0] ?? '')).toEqual({ rust: 2 });
  });
});

describe('the placement of a post', () => {
  it('a placement names the slug and every former address of the post', async () => {
    const id = await create('one');
    await update('one', { slug: 'two' });
    await update('two', { slug: 'three' });
    const { slug, redirects } = (await place(id)) ?? expect.fail();
    expect([slug, [...redirects].sort()]).toEqual(['three', ['one', 'two']]);
  });

  it('a deleted post has no placement', async () => {
    const id = await create('short-lived', { tags: ['rust'] });
    await remove('short-lived');
    expect(await place(id)).toBeNull();
    const rows = await workshop.services.db
      .selectFrom('placements')
      .select('list')
      .where('post_id', '=', id)
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('the sizes of lists', () => {
  const sizes = async (kind: 'tag' | 'month') => {
    const found = await findListSizes(workshop.services.db, blog.id, kind);
    return found && Object.fromEntries(found);
  };

  it('they follow every write of a post', async () => {
    const publishedAt = '2020-05-01T00:00:00.000Z';
    await create('one', { tags: ['ink', 'paper'], publishedAt });
    await create('two', { tags: ['ink'], publishedAt: '2021-06-01T00:00:00.000Z' });
    await create('draft', { tags: ['ink'], status: 'draft' });
    await create('hidden', { tags: ['ink'], isUnlisted: true, publishedAt });
    await create('about', { type: 'page', publishedAt });
    expect(await sizes('tag')).toEqual({ ink: 2, paper: 1 });
    expect(await sizes('month')).toEqual({ '@2020-05': 1, '@2021-06': 1 });
    await update('two', { tags: ['paper'], publishedAt });
    expect(await sizes('tag')).toEqual({ ink: 1, paper: 2 });
    expect(await sizes('month')).toEqual({ '@2020-05': 2 });
    await update('one', { isUnlisted: true });
    expect(await sizes('tag')).toEqual({ paper: 1 });
    await remove('two');
    expect([await sizes('tag'), await sizes('month')]).toEqual([{}, {}]);
  });

  it('they are said of so many lists and no more', async () => {
    const row = (n: number) => ({ blog_id: blog.id, kind: 'tag' as const, list: `tag-${n}`, posts: 1 });
    const rows = Array.from({ length: MAX_SIZES }, (_, n) => row(n));
    const insert = (some: typeof rows) =>
      workshop.services.db.insertInto('list_sizes').values(some).execute();
    await insert(rows);
    expect(Object.keys((await sizes('tag')) ?? {})).toHaveLength(MAX_SIZES);
    await insert([row(MAX_SIZES)]);
    expect(await sizes('tag')).toBeNull();
    expect(await sizes('month')).toEqual({});
  });
});
