import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListRef, monthList } from '../../../generator/site/list.ts';
import type { Site } from '../../../generator/site/site.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { findMonths, findTags } from '../../../server/lists/list-pages.ts';
import { findPlacement } from '../../../server/lists/placements.ts';
import { loadSite } from '../../../server/site/load-site.ts';
import { siteSettingsOf } from '../../../server/site/site-settings.ts';
import { type PlacedPost, siteOf } from '../../support/site.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let blog: Blog;
/** The blog as loaded from the database, and the same posts in the simplest site. */
let loaded: Site;
let simple: Site;

beforeAll(async () => {
  workshop = await openWorkshop();
  blog = await workshop.newBlog('ink');
  await fill();
  const { db } = workshop.services;
  loaded = (await loadSite(db, blog.id, siteSettingsOf(workshop.config))) ?? expect.fail('no site');
  const posts = await loaded.posts(await loaded.allPostIds());
  const sources = await loaded.sources([...posts.keys()]);
  const placed: PlacedPost[] = [];
  const redirects: Record<string, string> = { homeless: 'unpublished' };
  for (const post of posts.values()) {
    const place = (await findPlacement(db, post.id)) ?? expect.fail(`${post.slug} is not published`);
    const runs = Object.fromEntries(place.lists.map(({ list, pageNumber }) => [list, pageNumber]));
    const { [monthList(post.publishedAt)]: monthPage = 0, ...tagPages } = runs;
    placed.push({ ...post, source: sources.get(post.id)?.source ?? '', monthPage, tagPages });
    for (const old of place.redirects) redirects[old] = post.slug;
  }
  simple = siteOf({ posts: placed, redirects, blog: loaded.blog });
});
afterAll(() => workshop.close());

/** Over thirty posts in two tags, with drafts, gaps from deletions, and one moved post. */
async function fill(): Promise<void> {
  const { posts } = workshop.services;
  for (let n = 1; n <= 41; n++) {
    await posts.create(workshop.caller, blog, {
      title: `Post ${n}`,
      slug: `p-${n}`,
      content: `Text ${n}.`,
      tags: [...(n % 2 ? ['Rust'] : []), ...(n > 15 ? ['日本'] : [])],
      status: n % 7 === 0 ? 'draft' : 'published',
      meta: { description: n % 3 ? null : `Given ${n}.`, ogImage: null },
      translations: n % 5 ? null : { ja: 'p-1', de: 'https://example.org' },
    });
  }
  // All of the second list page, the newest post, and one in between.
  for (const n of [...Array.from({ length: 12 }, (_, index) => 12 + index), 41, 30]) {
    await posts.remove(blog, `p-${n}`).catch(() => undefined);
  }
  await posts.update(blog, 'p-5', { slug: 'moved' });
  await posts.update(blog, 'moved', { slug: 'moved-again' });
}

const lists: ListRef[] = [null, 'rust', '日本', 'nobody'];
const runs = [0, 1, 2, 3, 4, 5, 6];

describe('a site from the database and one from plain lists', () => {
  it.each(lists)('both sites have the same list %s', async (list) => {
    for (const [pageNumber, posts] of await simple.listPages(list, runs)) {
      for (const { id, publishedAt } of posts) {
        const place = { id, publishedAt, pageNumber };
        expect(await loaded.adjacentListPages(list, place)).toEqual(
          await simple.adjacentListPages(list, place),
        );
      }
    }
    for (const count of [1, 9, 10, 11, 100]) {
      expect(await loaded.newest(list, count)).toMatchObject(await simple.newest(list, count));
      const [oldest, expected] = [
        await loaded.oldestOfNewest(list, count),
        await simple.oldestOfNewest(list, count),
      ];
      expect(oldest?.id).toBe(expected?.id);
    }
    const [found, expected] = [await loaded.listPages(list, runs), await simple.listPages(list, runs)];
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    for (const [run, posts] of expected) expect(found.get(run)).toMatchObject(posts);
    expect(await loaded.allPageNumbers(list)).toEqual(await simple.allPageNumbers(list));
  });

  it('both sites have the same posts', async () => {
    expect((await loaded.allPostIds()).length).toBeGreaterThan(20);
    expect([...(await loaded.allPostIds())].sort()).toEqual([...(await simple.allPostIds())].sort());
    const ids = await loaded.allPostIds();
    expect(await loaded.posts(ids)).toEqual(await simple.posts(ids));
    expect(Object.fromEntries(await loaded.sources(ids))).toMatchObject(
      Object.fromEntries(await simple.sources(ids)),
    );
    expect(await loaded.slugs(ids)).toEqual(await simple.slugs(ids));
    const newest = (await loaded.newest(null, 1)).posts[0] ?? expect.fail('no post');
    const translations = [
      { lang: 'de', url: 'https://example.org/' },
      { lang: 'ja', url: '/p-1/' },
    ];
    const shown = { slug: 'p-40', description: 'Text 40.', translations };
    expect((await loaded.posts(ids)).get(newest.id)).toMatchObject({ ...shown, html: '<p>Text 40.</p>\n' });
    expect((await loaded.sources(ids)).get(newest.id)).toEqual({
      ...newest,
      translations,
      source: 'Text 40.',
    });
  });

  it('both sites have the same addresses in every sitemap chunk', async () => {
    for (const range of [
      { from: 1, to: 2 },
      { from: 3, to: 4 },
      { from: 1, to: 100 },
      { from: 90, to: 99 },
    ]) {
      expect(await loaded.sitemapPosts(null, range)).toEqual(await simple.sitemapPosts(null, range));
    }
    for (const length of [1, 2, 3, 100]) {
      expect(await loaded.allSitemapChunks(null, length)).toEqual(
        await simple.allSitemapChunks(null, length),
      );
    }
  });

  it('both sites have the same tags and former addresses', async () => {
    expect(await loaded.allLists()).toEqual(await simple.allLists());
    expect(await loaded.months()).toEqual(await simple.months());
    expect(await loaded.tags()).toEqual(await simple.tags());
    expect((await loaded.tags()).map(({ slug }) => slug)).toEqual(['rust', '日本']);
    const target = { type: 'post', slug: 'moved-again' };
    expect(await loaded.redirects(['p-5', 'moved', 'moved-again', 'homeless', 'p-7'])).toEqual(
      new Map([
        ['p-5', target],
        ['moved', target],
      ]),
    );
    expect([...(await loaded.allRedirects())].sort()).toEqual(['moved', 'p-5']);
  });
});

describe('a site from the database', () => {
  it('a site never shows a draft', async () => {
    const draft = await workshop.services.posts.get(blog, 'p-7');
    expect(await loaded.posts([draft.id])).toEqual(new Map());
    expect(await loaded.sources([draft.id])).toEqual(new Map());
    expect(await loaded.allPostIds()).not.toContain(draft.id);
    expect((await loaded.sitemapPosts(null, { from: 0, to: 100 })).map(({ slug }) => slug)).not.toContain(
      'p-7',
    );
  });

  it('a site gives the length of a post in words', async () => {
    const meta = { description: null, ogImage: null };
    const long = {
      title: 'Long',
      content: 'word '.repeat(1_000),
      tags: [],
      status: 'published',
      meta,
    } as const;
    const blog = await workshop.newBlog('long');
    const { id } = await workshop.services.posts.create(workshop.caller, blog, long);
    const { db } = workshop.services;
    const site = (await loadSite(db, blog.id, siteSettingsOf(workshop.config))) ?? expect.fail('no site');
    expect((await site.posts([id])).get(id)).toMatchObject({ wordCount: 1_000 });
  });

  it('a site holds only its own blog’s posts', async () => {
    const { db } = workshop.services;
    const other = await workshop.newBlog('other');
    const site = (await loadSite(db, other.id, siteSettingsOf(workshop.config))) ?? expect.fail('no site');
    expect(await site.posts(await loaded.allPostIds())).toEqual(new Map());
    expect(await site.sources(await loaded.allPostIds())).toEqual(new Map());
    expect([await site.allPostIds(), await site.allLists(), await site.allRedirects()]).toEqual([[], [], []]);
    expect(await site.newest(null, 10)).toEqual({ posts: [], oldestPage: null });
    expect(await site.redirects(['p-5'])).toEqual(new Map());
  });

  it('a missing blog has no site', async () => {
    expect(await loadSite(workshop.services.db, 'nobody', siteSettingsOf(workshop.config))).toBeNull();
  });

  it('the tags and months can be the first ones alone', async () => {
    const { db } = workshop.services;
    const slugs = async (limit: number) => (await findTags(db, blog.id, limit)).map(({ slug }) => slug);
    expect([await slugs(2), await slugs(1)]).toEqual([['rust', '日本'], ['rust']]);
    expect(await findMonths(db, blog.id, 1)).toEqual((await loaded.months()).slice(0, 1));
    expect(await findMonths(db, blog.id, 0)).toEqual([]);
  });
});
