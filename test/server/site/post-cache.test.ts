import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Blog } from '../../../server/blogs/store.ts';
import { findSources } from '../../../server/lists/post-texts.ts';
import { loadSite } from '../../../server/site/load-site.ts';
import { createPostCache, type PostCache, type Posts } from '../../../server/site/post-cache.ts';
import { openWorkshop, type Workshop } from '../../support/press.ts';

let workshop: Workshop;
let blog: Blog;
const cache = createPostCache();

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
  const posts = cache.at(workshop.services.db, blog.id);
  const found = [...(await posts.find(ids)).values()];
  const sources = await posts.sources(found);
  return found.map(({ title, edition }) => [title, sources.get(edition)]);
};

it('has what was read before as long as nobody has written it, however short the time between', async () => {
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

it('has the new words where a post is rendered anew and nothing else of it is written', async () => {
  const id = await publish('one');
  await read(id);
  const { db } = workshop.services;
  await db.updateTable('post_contents').set({ content_version: 'another', source: 'Anew.' }).execute();
  expect(await read(id)).toEqual([['one', 'Anew.']]);
});

it('looks a post up once in a snapshot', async () => {
  const [one, two] = [await publish('one'), await publish('two')];
  const { db, posts } = workshop.services;
  const titles = async (snapshot: Posts) =>
    [...(await snapshot.find([one, two])).values()].map(({ title }) => title);
  const before = cache.at(db, blog.id);
  expect(await titles(before)).toEqual(['one', 'two']);
  await posts.update(blog, 'one', { title: 'Another' });
  // No snapshot sees a write of later: where this one does not look, it cannot see it either.
  expect(await titles(before)).toEqual(['one', 'two']);
  expect(await titles(cache.at(db, blog.id))).toEqual(['Another', 'two']);
});

it('tells nobody of a post of another blog', async () => {
  const id = await publish('one');
  expect(await read(id)).toHaveLength(1);
  const other = await workshop.newBlog('other');
  expect([...(await cache.at(workshop.services.db, other.id).find([id])).keys()]).toEqual([]);
});

it('reads a text once', async () => {
  const id = await publish('one');
  await read(id);
  const { db } = workshop.services;
  await db.updateTable('post_contents').set({ source: 'Written past the rules.' }).execute();
  expect([...(await findSources(db, [id])).values()]).toEqual(['Written past the rules.']);
  expect(await read(id)).toEqual([['one', 'one']]);
});

it('has every text that was asked for, also where another rebuild reads so much meanwhile that others make room', async () => {
  const [one, two, long] = [await publish('one'), await publish('two'), await publish('long')];
  const { db } = workshop.services;
  const source = 'x'.repeat(8 * 1024 * 1024 - 200);
  await db.updateTable('post_contents').set({ source }).where('post_id', '=', long).execute();
  const posts = cache.at(db, blog.id);
  const find = async (...ids: string[]) => [...(await posts.find(ids)).values()];
  await posts.sources(await find(one));
  const [both, other] = await Promise.all([find(one, two), find(long)]);
  const [, found] = await Promise.all([posts.sources(other), posts.sources(both)]);
  expect([...found.values()].sort()).toEqual(['one', 'two']);
});

it('fails where the words of a post are missing, and does not take its page for one that is gone', async () => {
  const id = await publish('one');
  const { db, blogUrl } = workshop.services;
  const nothing = async () => new Map();
  const without: PostCache = { at: (...of) => ({ ...cache.at(...of), bodies: nothing, sources: nothing }) };
  const site = await loadSite(db, blog.id, blogUrl, workshop.config.tiers, without);
  await expect(site?.posts([id])).rejects.toThrow(id);
  await expect(site?.sources([id])).rejects.toThrow(id);
});
