import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSite } from '../../../server/rebuild/load-site.ts';
import { createPostCache } from '../../../server/rebuild/post-cache.ts';
import type { Blog } from '../../../server/store/blogs.ts';
import { findSources } from '../../../server/store/post-texts.ts';
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
  const { db } = workshop.services;
  const posts = await cache.posts(db, blog.id, ids);
  const sources = await cache.sources(db, posts);
  return posts.map(({ title, edition }) => [title, sources.get(edition)]);
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
  await db.updateTable('post_contents').set({ edition: 'another', source: 'Anew.' }).execute();
  expect(await read(id)).toEqual([['one', 'Anew.']]);
});

it('tells nobody of a post of another blog', async () => {
  const id = await publish('one');
  expect(await read(id)).toHaveLength(1);
  const other = await workshop.newBlog('other');
  expect(await cache.posts(workshop.services.db, other.id, [id])).toEqual([]);
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
  const texts = async (...ids: string[]) => cache.sources(db, await cache.posts(db, blog.id, ids));
  await texts(one);
  const [both, other] = await Promise.all([
    cache.posts(db, blog.id, [one, two]),
    cache.posts(db, blog.id, [long]),
  ]);
  const [, found] = await Promise.all([cache.sources(db, other), cache.sources(db, both)]);
  expect([...found.values()].sort()).toEqual(['one', 'two']);
});

it('fails where the words of a post are missing, and does not take its page for one that is gone', async () => {
  const id = await publish('one');
  const { db, blogUrl } = workshop.services;
  const nothing = async () => new Map();
  const without = { ...cache, bodies: nothing, sources: nothing };
  const site = await loadSite(db, blog.id, blogUrl, workshop.config.tiers, without);
  await expect(site?.posts([id])).rejects.toThrow(id);
  await expect(site?.sources([id])).rejects.toThrow(id);
});
