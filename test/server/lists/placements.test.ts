import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { monthOf, type Placement } from '../../../generator/site.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
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
const runOf = async (id: string) => (await place(id))?.pageNumber;
const tagRunsOf = async (id: string) =>
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
    const runs = await Promise.all(ids.map(runOf));
    expect(runs).toEqual([...Array(10).fill(1), ...Array(10).fill(2), 3]);
  });

  it('a post keeps its list page when others are deleted, and only the newest list page is filled up', async () => {
    const ids = await publishMany(1, 12);
    await remove('p-3');
    await remove('p-11');
    expect(await runOf(ids[11] ?? '')).toBe(2);
    expect(await runOf(await create('next'))).toBe(2);
    expect(await runOf(ids[9] ?? '')).toBe(1);
  });

  it('the last list page starts again once it has lost all its posts', async () => {
    await publishMany(1, 11);
    await remove('p-11');
    expect(await runOf(await create('next'))).toBe(2);
    await remove('next');
    await remove('p-1');
    expect(await runOf(await create('last'))).toBe(1);
  });

  it('each blog has list pages of its own', async () => {
    await publishMany(1, 10);
    blog = await workshop.newBlog('own-runs');
    expect(await runOf(await create('first'))).toBe(1);
  });

  it('a draft gets its list page when it is published', async () => {
    const draft = await create('draft', { status: 'draft', tags: ['rust'] });
    expect(await place(draft)).toBeNull();
    await publishMany(1, 10, ['rust']);
    await workshop.services.publication.publish(workshop.caller, blog, 'draft');
    expect(await runOf(draft)).toBe(2);
    expect(await tagRunsOf(draft)).toEqual({ rust: 2 });
  });
});

describe('the list pages of a tag', () => {
  it('the list pages of a tag are counted by its own posts', async () => {
    await publishMany(1, 10);
    const [first] = await publishMany(11, 20, ['rust']);
    expect([await runOf(first ?? ''), await tagRunsOf(first ?? '')]).toEqual([2, { rust: 1 }]);
    expect(await tagRunsOf(await create('eleventh', { tags: ['Rust', 'new'] }))).toEqual({ rust: 2, new: 1 });
  });

  it('a post keeps its list page of a tag when its other tags change, and gets one for a new tag', async () => {
    const id = await create('early', { tags: ['rust', 'old'] });
    await publishMany(1, 10, ['rust', 'go']);
    await update('early', { tags: ['go', 'RUST'] });
    expect(await tagRunsOf(id)).toEqual({ rust: 1, go: 2 });
  });

  it('a post that leaves a tag and returns is at the end of the list', async () => {
    const id = await create('restless', { tags: ['rust'] });
    await publishMany(1, 10, ['rust']);
    await update('restless', { tags: [] });
    expect(await tagRunsOf(id)).toEqual({});
    await update('restless', { tags: ['rust'] });
    // Ten posts are left when it returns; the newest of them started a list page of its own.
    expect(await tagRunsOf(id)).toEqual({ rust: 2 });
  });
});

describe('the placement of a post', () => {
  it('a placement names the slug and every old address of the post', async () => {
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
