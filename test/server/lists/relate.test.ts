import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { relatePost } from '../../../server/lists/relate.ts';
import { findRelated } from '../../../server/lists/related.ts';
import type { PostInput } from '../../../server/posts/post.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let blog: Blog;
let blogs = 0;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

async function newBlog(): Promise<void> {
  blog = await workshop.newBlog(`related-${++blogs}`);
}

async function publish(title: string, fields: Partial<PostInput> = {}): Promise<string> {
  const { services, caller } = workshop;
  const written = await services.posts.create(caller, blog, {
    title,
    content: 'x',
    tags: [],
    status: 'published',
    meta: { description: null, ogImage: null },
    ...fields,
  });
  return written.id;
}

const relatedTo = async (id: string) => (await findRelated(workshop.services.db, [id])).get(id);

it('a post leads on to the posts with the same tags or words, the most alike first', async () => {
  await newBlog();
  const both = await publish('Kestrels over the harbour', { tags: ['Birds', 'Sea'] });
  const tag = await publish('Sparrows', { tags: ['birds'] });
  const words = await publish('Kestrels over the city');
  await publish('Bread', { tags: ['Baking'] });
  const post = await publish('Kestrels over the harbour again', { tags: ['Birds', 'Sea'] });
  expect(await relatedTo(post)).toEqual([both, words, tag]);
});

it('a post without anything in common with another leads on to none', async () => {
  await newBlog();
  await publish('Bread', { tags: ['Baking'] });
  expect(await relatedTo(await publish('Kestrels', { tags: ['Birds'] }))).toEqual([]);
});

it('words of scripts without spaces and with few letters count', async () => {
  await newBlog();
  const kyoto = await publish('京都の庭を歩く');
  await publish('パンの作り方');
  expect(await relatedTo(await publish('京都の庭'))).toEqual([kyoto]);
});

it('neither drafts, pages nor unlisted posts are related', async () => {
  await newBlog();
  const fields = { tags: ['Birds'] };
  await publish('Kestrels', { ...fields, status: 'draft' });
  await publish('Kestrels', { type: 'page' });
  const unlisted = await publish('Kestrels', { ...fields, isUnlisted: true });
  expect(await relatedTo(unlisted)).toEqual([]);
  expect(await relatedTo(await publish('Kestrels', fields))).toEqual([]);
});

it('few posts lead on to one: its changes reach no more pages, however many are like it', async () => {
  await newBlog();
  const first = await publish('Kestrels', { tags: ['Birds'] });
  const others: string[] = [];
  for (let n = 0; n < 20; n++) {
    // Each is more like the first than like the others.
    others.push(await publish(`Kestrels ${'abcdefghijklmnopqrst'.charAt(n).repeat(5)}`, { tags: ['Birds'] }));
  }
  const leading = await findRelated(workshop.services.db, others);
  const counts = new Map<string, number>();
  for (const id of [...leading.values()].flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
  expect(Math.max(...counts.values())).toBe(6);
  expect(counts.get(first)).toBe(6);
});

it('a post that is changed may lead on to the same posts again, however many others do', async () => {
  await newBlog();
  const first = await publish('Kestrels', { tags: ['Birds'] });
  for (const word of ['aaaaa', 'bbbbb', 'ccccc', 'ddddd', 'eeeee']) {
    await publish(`Kestrels ${word}`, { tags: ['Birds'] });
  }
  const sixth = await publish('Kestrels fffff', { tags: ['Birds'], slug: 'sixth' });
  expect((await relatedTo(sixth))?.[0]).toBe(first);
  await workshop.services.posts.update(blog, 'sixth', { content: 'Another text.' });
  expect((await relatedTo(sixth))?.[0]).toBe(first);
});

it('a choice that stays the same is not written again', async () => {
  await newBlog();
  await publish('Sparrows', { tags: ['Birds'] });
  const id = await publish('Kestrels', { tags: ['Birds'] });
  const { db } = workshop.services;
  const rowsWritten = async () =>
    (await sql<{ n: number }>`select total_changes() as n`.execute(db)).rows[0]?.n;
  const before = await rowsWritten();
  await relatePost(db, { id, blogId: blog.id });
  expect(await rowsWritten()).toBe(before);
  expect(await relatedTo(id)).toHaveLength(1);
});

it('a change of tags chooses anew, a deleted post is no longer related', async () => {
  await newBlog();
  const { posts } = workshop.services;
  const birds = await publish('Sparrows', { tags: ['Birds'] });
  const baking = await publish('Bread', { tags: ['Baking'], slug: 'bread' });
  const post = await publish('Something', { tags: ['Birds'], slug: 'something' });
  expect(await relatedTo(post)).toEqual([birds]);
  await posts.update(blog, 'something', { tags: ['Baking'] });
  expect(await relatedTo(post)).toEqual([baking]);
  await posts.remove(blog, 'bread');
  expect(await relatedTo(post)).toEqual([]);
});

it('a post that was written before there was anything like it leads on to later ones, to three at most', async () => {
  await newBlog();
  const first = await publish('Kestrels', { tags: ['Birds'] });
  const later: string[] = [];
  for (const word of ['aaaaa', 'bbbbb', 'ccccc', 'ddddd']) {
    later.push(await publish(`Kestrels ${word}`, { tags: ['Birds'] }));
  }
  expect(await relatedTo(first)).toEqual(later.slice(0, 3));
  await workshop.services.posts.remove(blog, 'kestrels-bbbbb');
  const last = await publish('Kestrels eeeee', { tags: ['Birds'] });
  expect(await relatedTo(first)).toEqual([later[0], later[2], last]);
});

it('a post that is written again is not added twice, and six posts lead on to it at most', async () => {
  await newBlog();
  const { posts } = workshop.services;
  const posted = await publish('Kestrels', { tags: ['Birds'], slug: 'kestrels' });
  const others: string[] = [];
  for (let n = 0; n < 9; n++) {
    const word = 'abcdefghi'.charAt(n).repeat(5);
    others.push(await publish(`Alone ${word}`, { slug: word }));
  }
  for (let n = 0; n < 9; n++) await posts.update(blog, 'abcdefghi'.charAt(n).repeat(5), { tags: ['Birds'] });
  await posts.update(blog, 'kestrels', { title: 'Kestrels again' });
  await posts.update(blog, 'kestrels', { title: 'Kestrels once more' });
  const related = await findRelated(workshop.services.db, others);
  const leading = [...related.values()].filter((ids) => ids.includes(posted));
  expect(leading.length).toBeLessThanOrEqual(6);
  for (const ids of related.values())
    expect([ids.length <= 3, new Set(ids).size]).toEqual([true, ids.length]);
});

it('parts of the same series are not related, which the page shows anyway', async () => {
  await newBlog();
  const fields = { tags: ['Birds'] };
  const other = await publish('Kestrels', fields);
  const first = await publish('Kestrels', { ...fields, series: { name: 'Falcons' } });
  const second = await publish('Kestrels', { ...fields, series: { name: 'falcons' } });
  expect(await relatedTo(second)).toEqual([other]);
  expect(await relatedTo(first)).toEqual([other]);
});

it('posts in the language of the post come first', async () => {
  await newBlog();
  const english = await publish('Kestrels', { tags: ['Birds'] });
  const same = await publish('Turmfalken', { tags: ['Birds'], language: 'de' });
  const post = await publish('Kestrels', { tags: ['Birds'], language: 'de' });
  expect(await relatedTo(post)).toEqual([same, english]);
});
