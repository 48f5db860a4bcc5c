import { expect, test } from 'vitest';
import { feeds } from '../../../generator/pages/feed.ts';
import type { BuiltPage } from '../../../generator/pages/page-kind.ts';
import type { Site } from '../../../generator/site/site.ts';
import { publicationTime, publishedPosts, siteOf } from '../../support/site.ts';

const rust = { label: 'Rust', slug: 'rust' };
const japan = { label: '日本', slug: '日本' };

const showAll = async (site: Site): Promise<readonly BuiltPage[]> =>
  feeds.build(site, await feeds.allKeys(site));
const feedAt = (pages: readonly BuiltPage[], path: string) => {
  const body = pages.find((page) => page.path === path)?.body;
  return body?.kind === 'feed' ? body.feed : expect.fail(`no feed at ${path}`);
};
const newestFirst = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => `post-${from - n}`);
const slugsAt = (pages: readonly BuiltPage[], path: string) =>
  feedAt(pages, path).posts.map(({ slug }) => slug);

test('a blog has a feed in each format, and so has each of its tags', async () => {
  const pages = await showAll(
    siteOf({ posts: publishedPosts(3, (n) => ({ tags: n > 1 ? [rust, japan] : [] })) }),
  );
  const beside = (folder: string) => ['feed.xml', 'rss.xml', 'feed.json'].map((name) => folder + name);
  expect(pages.map(({ path }) => path)).toEqual([
    ...beside(''),
    ...beside('tags/rust/'),
    ...beside('tags/日本/'),
  ]);
  expect(pages.map(({ body }) => body.kind === 'feed' && body.feed.format)).toEqual([
    ...['atom', 'rss', 'json'],
    ...['atom', 'rss', 'json'],
    ...['atom', 'rss', 'json'],
  ]);
  expect([feedAt(pages, 'feed.xml').tag, feedAt(pages, 'tags/日本/rss.xml').tag]).toEqual([null, japan]);
  expect(slugsAt(pages, 'rss.xml')).toEqual(newestFirst(3, 1));
  expect(slugsAt(pages, 'tags/rust/feed.json')).toEqual(newestFirst(3, 2));
});

test('the feeds of a blog hold its thirty newest posts in full, and those of a tag its ten newest', async () => {
  const pages = await showAll(siteOf({ posts: publishedPosts(42, () => ({ tags: [rust] })) }));
  for (const path of ['feed.xml', 'rss.xml', 'feed.json']) {
    expect(slugsAt(pages, path)).toEqual(newestFirst(42, 13));
    expect(slugsAt(pages, `tags/rust/${path}`)).toEqual(newestFirst(42, 33));
  }
  expect(feedAt(pages, 'feed.xml').posts[0]?.html).toBe('<p>Text 42.</p>');
});

test('a feed holds only posts that fit, but always the newest', async () => {
  const MiB = 1024 * 1024;
  const feedOf = async (bytes: number) =>
    slugsAt(await showAll(siteOf({ posts: publishedPosts(9, () => ({ bytes })) })), 'feed.xml');
  expect(await feedOf(MiB / 4)).toEqual(newestFirst(9, 2));
  expect(await feedOf(MiB / 4 + 1)).toEqual(newestFirst(9, 3));
  expect(await feedOf(3 * MiB)).toEqual(newestFirst(9, 9));
});

test('a post body is loaded once for all feeds that hold it', async () => {
  const site = siteOf({ posts: publishedPosts(25, () => ({ tags: [rust, japan] })) });
  const loaded: string[] = [];
  const counting: Site = {
    ...site,
    async posts(ids) {
      loaded.push(...ids);
      return site.posts(ids);
    },
  };
  await showAll(counting);
  expect(loaded).toHaveLength(25);
  expect(new Set(loaded).size).toBe(25);
});

test('a blog without posts has feeds for early subscribers, and a tag without posts has none', async () => {
  const site = siteOf({ posts: [] });
  expect((await showAll(site)).map(({ path }) => path)).toEqual(['feed.xml', 'rss.xml', 'feed.json']);
  expect(slugsAt(await showAll(site), 'feed.xml')).toEqual([]);
  expect(await feeds.build(site, ['feed:rust:atom', 'feed:rust:rss', 'feed:rust:json'])).toEqual([]);
});

test('the feed of a tag spells the tag as the newest post does', async () => {
  const posts = publishedPosts(2, (n) => ({ tags: [{ label: n === 2 ? 'RUST' : 'Rust', slug: 'rust' }] }));
  expect(feedAt(await showAll(siteOf({ posts })), 'tags/rust/feed.xml').tag?.label).toBe('RUST');
});

const formats = ['atom', 'rss', 'json'];
const ofBlog = formats.map((format) => `feed::${format}`);
const ofRust = formats.map((format) => `feed:rust:${format}`);

test.each([
  ['affects the feeds of the blog and of its present and former tags only', 2, [...ofBlog, ...ofRust]],
  ['affects only the feeds that may hold it if it is old', 1, ofRust],
])('a change to a post %s', async (_what, pageNumber, expected) => {
  const site = siteOf({ posts: publishedPosts(42) });
  const place = {
    postId: 'x',
    slug: 'x',
    pageNumber,
    publishedAt: publicationTime(10 * pageNumber - 5),
    lists: [
      { list: '@2026-01', pageNumber: 1 },
      { list: 'rust', pageNumber: 1 },
    ],
    redirects: [],
    homeList: null,
    relatedBy: [],
    series: null,
  };
  expect(await feeds.affectedKeys(site, place)).toEqual(expected);
});
