import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { findSources } from '../../../server/published/post-bodies.ts';
import { loadSite } from '../../../server/site/load-site.ts';
import { createPostCache, type PostCache, type SnapshotPosts } from '../../../server/site/post-cache.ts';
import { siteSettingsOf } from '../../../server/site/site-settings.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let blog: Blog;
const cache = createPostCache('https://media.example.org');

beforeEach(async () => {
  workshop = await openWorkshop();
  blog = await workshop.newBlog('ink');
});
afterEach(() => workshop.close());

async function publish(slug: string): Promise<string> {
  const meta = { description: null, ogImage: null };
  const post = { title: slug, slug, content: slug, tags: [], status: 'published', meta } as const;
  return (await workshop.services.posts.create(workshop.caller, blog, post)).id;
}

const read = async (...ids: string[]) => {
  const posts = cache.inSnapshot(workshop.services.db, blog.id);
  const found = [...(await posts.find(ids)).values()];
  const sources = await posts.sources(found);
  return found.map(({ title, contentVersion }) => [title, sources.get(contentVersion)]);
};

it('the post cache keeps posts until they are written, even within one millisecond', async () => {
  const [one, two] = [await publish('one'), await publish('two')];
  expect(await read(two, one)).toEqual([
    ['two', 'two'],
    ['one', 'one'],
  ]);
  const { db, posts } = workshop.services;
  const [{ updated_at: before } = {}] = await db.selectFrom('posts').select('updated_at').execute();
  await posts.update(blog, 'one', { title: 'Another' });
  await db
    .updateTable('posts')
    .set({ updated_at: before ?? '' })
    .execute();
  expect(await read(one, two)).toEqual([
    ['Another', 'one'],
    ['two', 'two'],
  ]);
  await posts.update(blog, 'two', { content: 'Other words.' });
  expect(await read(one, two)).toEqual([
    ['Another', 'one'],
    ['two', 'Other words.'],
  ]);
  await posts.remove(blog, 'one');
  await posts.remove(blog, 'two');
  expect(await read(one, two)).toEqual([]);
});

it('the post cache reloads a post that was only rendered again', async () => {
  const id = await publish('one');
  await read(id);
  const { db } = workshop.services;
  await db.updateTable('post_contents').set({ content_version: 'another', source: 'Anew.' }).execute();
  expect(await read(id)).toEqual([['one', 'Anew.']]);
});

it('the post cache looks up a post once in a snapshot', async () => {
  const [one, two] = [await publish('one'), await publish('two')];
  const { db, posts } = workshop.services;
  const titles = async (snapshot: SnapshotPosts) =>
    [...(await snapshot.find([one, two])).values()].map(({ title }) => title);
  const before = cache.inSnapshot(db, blog.id);
  expect(await titles(before)).toEqual(['one', 'two']);
  await posts.update(blog, 'one', { title: 'Another' });
  // No snapshot sees later writes, so the cached result is right.
  expect(await titles(before)).toEqual(['one', 'two']);
  expect(await titles(cache.inSnapshot(db, blog.id))).toEqual(['Another', 'two']);
});

it('the post cache never returns a post of another blog', async () => {
  const id = await publish('one');
  expect(await read(id)).toHaveLength(1);
  const other = await workshop.newBlog('other');
  expect([...(await cache.inSnapshot(workshop.services.db, other.id).find([id])).keys()]).toEqual([]);
});

it('the post cache reads a text once', async () => {
  const id = await publish('one');
  await read(id);
  const { db } = workshop.services;
  await db.updateTable('post_contents').set({ source: 'Written past the rules.' }).execute();
  const [stored] = (await findSources(db, [id])).values();
  expect(stored?.source).toBe('Written past the rules.');
  expect(await read(id)).toEqual([['one', 'one']]);
});

it('the post cache returns every requested text, even if another rebuild evicts it in the meantime', async () => {
  const [one, two, long] = [await publish('one'), await publish('two'), await publish('long')];
  const { db } = workshop.services;
  const source = 'x'.repeat(8 * 1024 * 1024 - 200);
  await db.updateTable('post_contents').set({ source }).where('post_id', '=', long).execute();
  const posts = cache.inSnapshot(db, blog.id);
  const find = async (...ids: string[]) => [...(await posts.find(ids)).values()];
  await posts.sources(await find(one));
  const [both, other] = await Promise.all([find(one, two), find(long)]);
  const [, found] = await Promise.all([posts.sources(other), posts.sources(both)]);
  expect([...found.values()].sort()).toEqual(['one', 'two']);
});

it('a missing text of a post is an error, and its page is not taken for removed', async () => {
  const id = await publish('one');
  const { db } = workshop.services;
  const nothing = async () => new Map();
  const without: PostCache = {
    inSnapshot: (...of) => ({ ...cache.inSnapshot(...of), bodies: nothing, sources: nothing }),
  };
  const site = await loadSite(db, blog.id, siteSettingsOf(workshop.config), without);
  await expect(site?.posts([id])).rejects.toThrow(id);
  await expect(site?.sources([id])).rejects.toThrow(id);
});
