import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  affectedPageKeys,
  allPageKeys,
  buildPages,
  movablePagePaths,
  sortPagesForUpload,
} from '../../../generator/pages/page-kinds.ts';
import type { Placement } from '../../../generator/site/placement.ts';
import type { Site } from '../../../generator/site/site.ts';
import { type PlacedPost, placementOf, publishedPosts, type SiteParts, siteOf } from '../../support/site.ts';

const tags = [
  { label: 'Rust', slug: 'rust' },
  { label: '日本', slug: '日本' },
];
const posts = publishedPosts(32, (n) => ({ tags: n % 3 === 0 ? tags : [] }));
const redirects = { 'old-5': 'post-5' };

const placesOf = (id: string, ...sites: readonly SiteParts[]): Placement[] =>
  sites.flatMap((site) => site.posts.filter((post) => post.id === id).map((post) => placementOf(post, site)));

/** Every page of the site, by its key. */
const everything = async (site: Site) =>
  new Map((await buildPages(site, await allPageKeys(site))).map((page) => [page.key, JSON.stringify(page)]));

const changed = (fields: Partial<PlacedPost>) =>
  posts.map((post) => (post.slug === 'post-5' ? { ...post, ...fields } : post));
const before: SiteParts = { posts, redirects };
const changes: readonly [string, string, SiteParts][] = [
  ['has a new body', 'post-5', { posts: changed({ html: '<p>New.</p>' }), redirects }],
  ['has a new title', 'post-5', { posts: changed({ title: 'New' }), redirects }],
  [
    'moves',
    'post-5',
    { posts: changed({ slug: 'moved' }), redirects: { 'old-5': 'moved', 'post-5': 'moved' } },
  ],
  ['gets a tag', 'post-5', { posts: changed({ tags, tagPages: { rust: 2, 日本: 2 } }), redirects }],
  [
    'loses its tags',
    'post-30',
    { posts: posts.map((p) => (p.slug === 'post-30' ? { ...p, tags: [], tagPages: {} } : p)), redirects },
  ],
  ['is deleted', 'post-5', { posts: posts.filter(({ slug }) => slug !== 'post-5') }],
  ['is deleted and was the newest', 'post-32', { posts: posts.slice(0, -1), redirects }],
  ['is published', 'post-33', { posts: [...posts, ...publishedPosts(33).slice(-1)], redirects }],
];

describe('pages affected by a change to a post', () => {
  it.each(changes)('every page that differs is affected when a post %s', async (_what, slug, after) => {
    const post = [...posts, ...after.posts].find((candidate) => candidate.slug === slug);
    const places = placesOf(post?.id ?? '', before, after);
    const reached = new Set(await affectedPageKeys(siteOf(after), places));
    const [old, now] = [await everything(siteOf(before)), await everything(siteOf(after))];
    const differing = [...new Set([...old.keys(), ...now.keys()])].filter(
      (key) => old.get(key) !== now.get(key),
    );
    expect(differing.length).toBeGreaterThan(1);
    expect(differing.filter((key) => !reached.has(key))).toEqual([]);
  });

  it('a change to a post in a large blog affects a small part of its pages', async () => {
    const many: SiteParts = { posts: publishedPosts(3_000, () => ({ tags })) };
    const post = many.posts[1_500];
    const reached = await affectedPageKeys(siteOf(many), placesOf(post?.id ?? '', many));
    expect(reached.length).toBeLessThan(20);
  });

  it('many changes ask for a few things at once, and let other work pass', async () => {
    const many: SiteParts = { posts: publishedPosts(200, () => ({ tags })) };
    const site = siteOf(many);
    let [asked, mostAsked, pauses] = [0, 0, 0];
    const counted: Site = {
      ...site,
      async adjacentListPages(...place) {
        asked += 1;
        mostAsked = Math.max(mostAsked, asked);
        await setImmediate();
        asked -= 1;
        return site.adjacentListPages(...place);
      },
    };
    const places = many.posts.flatMap(({ id }) => placesOf(id, many));
    const reached = await affectedPageKeys(counted, places, async () => {
      pauses += 1;
    });
    expect(new Set(reached)).toEqual(new Set(await affectedPageKeys(site, places)));
    expect(mostAsked).toBeGreaterThan(0);
    expect(mostAsked).toBeLessThanOrEqual(8);
    expect(pauses).toBeGreaterThan(10);
  });
});

describe('the pages of a site', () => {
  it('every page has a path of its own', async () => {
    const site = siteOf(before);
    const pages = await buildPages(site, await allPageKeys(site));
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
    expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
  });

  it('pages come in the order in which they are written: headers, posts, lists, feeds, cards', async () => {
    const site = siteOf(before);
    const keys = await allPageKeys(site);
    const stages = (await buildPages(site, keys)).map(({ stage }) => stage);
    const changes = stages.filter((stage, at) => stage !== stages[at - 1]);
    expect(changes).toEqual(['headers', 'posts', 'lists', 'feeds', 'cards']);
    const kindsOf = (some: readonly string[]) =>
      some.map((key) => key.split(':')[0]).map((kind) => (kind === 'source' ? 'post' : kind));
    expect(kindsOf(sortPagesForUpload([...keys].reverse(), () => false))).toEqual(kindsOf(keys));
  });

  it('the source of a post comes right before its page, so that a large build reads the post once', async () => {
    const keys = sortPagesForUpload(await allPageKeys(siteOf(before)), () => false);
    const ofPosts = keys.filter((key) => /^(?:post|source):/.test(key));
    expect(ofPosts).toEqual(before.posts.flatMap(({ id }) => [`source:${id}`, `post:${id}`]));
  });

  it('headers are written first, then new pages by kind, and then the existing pages that may link to them', () => {
    const keys = [
      'list::1',
      'list::2',
      'post:a',
      'post:b',
      'source:a',
      'source:b',
      'feed::atom',
      'headers:all',
    ];
    const isNew = (key: string) => ['list::2', 'post:b'].includes(key);
    expect(sortPagesForUpload(keys, isNew)).toEqual([
      'headers:all',
      'post:b',
      'list::2',
      'source:a',
      'post:a',
      'source:b',
      'list::1',
      'feed::atom',
    ]);
  });

  it('pages whose keys do not contain a path can be located', async () => {
    const keys = ['post:gone', ...(await allPageKeys(siteOf(before)))];
    const paths = await movablePagePaths(siteOf(before), keys);
    const shown = new Map((await buildPages(siteOf(before), keys)).map(({ key, path }) => [key, path]));
    const movable = keys.slice(1).filter((key) => /^(?:(?:post|source):|list::first$)/.test(key));
    expect([...paths.keys()].sort()).toEqual(movable.sort());
    for (const [key, path] of paths) expect(path).toBe(shown.get(key));
  });

  it('pages are the same whether they are requested one by one or together', async () => {
    const site = siteOf(before);
    const keys = await allPageKeys(site);
    const alone = (await Promise.all(keys.map((key) => buildPages(site, [key])))).flat();
    expect(new Set(alone.map((page) => JSON.stringify(page)))).toEqual(
      new Set((await everything(site)).values()),
    );
  });
});
