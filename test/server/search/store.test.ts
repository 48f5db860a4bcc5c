import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import type { PostInput } from '../../../server/posts/post.ts';
import { indexPost } from '../../../server/search/store.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let db: Db;
beforeAll(async () => {
  workshop = await openWorkshop();
  db = workshop.services.db;
});
afterAll(() => workshop.close());

async function create(blogSlug: string, fields: Partial<PostInput>) {
  const { posts } = workshop.services;
  const blog = await workshop.newBlog(blogSlug);
  const meta = { description: null, ogImage: null };
  const post = {
    title: 'T',
    slug: 'post',
    content: 'x',
    tags: [],
    status: 'published',
    meta,
    ...fields,
  } as const;
  const { id } = await posts.create(workshop.caller, blog, post);
  return { id, blog };
}

const totalOf = async (q: string) =>
  (await workshop.services.search.everywhere({ q, page: 1, perPage: 20 })).total;

/** Rows of the index itself, whatever the posts. */
async function rowsOfIndex(): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from search_words_docsize`.execute(db);
  return rows[0]?.rows ?? 0;
}

it('a post that is indexed again is found once', async () => {
  const { id } = await create('twice', { title: 'Early bird' });
  await create('draft', { title: 'Early bird', status: 'draft' });
  expect(await totalOf('early bird')).toBe(1);
  await indexPost(db, id);
  expect(await totalOf('early bird')).toBe(1);
});

it('a failed write leaves the index unchanged', async () => {
  const { id, blog } = await create('failing', { title: 'Stable' });
  const write = db.transaction().execute(async (tx) => {
    await tx.updateTable('posts').set({ title: 'Changed' }).where('id', '=', id).execute();
    await indexPost(tx, id);
    throw new Error('it fails');
  });
  await expect(write).rejects.toThrow('it fails');
  expect([await totalOf('stable'), await totalOf('changed')]).toEqual([1, 0]);
  await workshop.services.posts.remove(blog, 'post');
});

it('a post has one row however often it changes, and the row is deleted with it', async () => {
  const before = await rowsOfIndex();
  const { blog } = await create('changing', { title: 'Number 0' });
  for (let n = 1; n <= 30; n += 1)
    await workshop.services.posts.update(blog, 'post', { title: `Number ${n}` });
  expect(await rowsOfIndex()).toBe(before + 1);
  expect([await totalOf('number 29'), await totalOf('number 30')]).toEqual([0, 1]);
  await workshop.services.posts.remove(blog, 'post');
  expect(await rowsOfIndex()).toBe(before);
});

it('headings are searchable up to 10,000 characters, and a post of only headings is indexed', async () => {
  const content = Array.from({ length: 20_000 }, (_, n) => `# heading${n}`).join('\n\n');
  await create('headings', { content });
  expect([await totalOf('heading700'), await totalOf('heading19999')]).toEqual([1, 0]);
});
