import { setImmediate } from 'node:timers/promises';
import { fileOf } from '../addresses.ts';
import type { Page } from '../page.ts';
import type { Placement } from '../site/placement.ts';
import type { Site } from '../site/site.ts';
import { inUploadOrder } from '../upload-order.ts';
import { blogWide } from './blog-wide.ts';
import { cards } from './card.ts';
import { feeds } from './feed.ts';
import { front } from './front.ts';
import { headers } from './headers.ts';
import { hosts } from './host.ts';
import { icons } from './icon.ts';
import { BLOG_LIST_KEY, firstPageOf, lists } from './lists/list.ts';
import { overviews } from './lists/overviews.ts';
import { series } from './lists/series.ts';
import { llms } from './llms.ts';
import { keySuffix, type PageKind } from './page-kind.ts';
import { posts } from './post.ts';
import { ownerRedirects, redirects } from './redirect.ts';
import { search } from './search.ts';
import { sitemaps } from './sitemap.ts';
import { sources } from './source.ts';

/** Every page kind of a blog, in upload order: a kind within a stage may link to those above it. */
const kinds: readonly PageKind[] = [
  headers,
  hosts,
  icons,
  sources,
  posts,
  redirects,
  ownerRedirects,
  lists,
  series,
  front,
  overviews,
  search,
  blogWide,
  feeds,
  llms,
  sitemaps,
  cards,
];

/** Keys of all the site's pages. */
export async function allPageKeys(site: Site): Promise<string[]> {
  if (site.isTakenDown) return [];
  return (await Promise.all(kinds.map((kind) => kind.allKeys(site)))).flat();
}

/** Positions between two pauses: each takes about a hundred queries. */
const PLACES_PER_PAUSE = 8;

/**
 * Keys of the pages that changes may have touched. `places` are the changed posts' positions, old and new. They are
 * looked at one after the other, because thousands of queries that wait for one connection cost far more than they
 * take. Every few positions, `giveWay` is awaited.
 */
export async function affectedPageKeys(
  site: Site,
  places: readonly Placement[],
  giveWay: () => Promise<void> = async () => {},
): Promise<string[]> {
  const keys = new Set<string>();
  const changed = new Set(places.map(({ postId }) => postId));
  for (const [index, place] of places.entries()) {
    if (index % PLACES_PER_PAUSE === PLACES_PER_PAUSE - 1) {
      await setImmediate();
      await giveWay();
    }
    for (const kind of kinds) {
      for (const key of await kind.affectedKeys(site, place, changed)) keys.add(key);
    }
  }
  return [...keys];
}

/**
 * Paths of the pages that can move while their key stays, by key: those of posts (`PageKind.pathAt`), and the first
 * page of the blog's list.
 */
export async function movablePagePaths(
  site: Site,
  keys: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const all = new Set(keys);
  const ofPosts = byKind(all).flatMap(([{ pathAt }, own]) =>
    pathAt ? own.map((key) => ({ key, pathAt })) : [],
  );
  const slugs = await site.slugs([...new Set(ofPosts.map(({ key }) => keySuffix(key)))]);
  const paths = new Map(
    ofPosts.flatMap(({ key, pathAt }) => {
      const slug = slugs.get(keySuffix(key));
      return slug === undefined ? [] : [[key, pathAt(slug)] as const];
    }),
  );
  if (all.has(BLOG_LIST_KEY)) paths.set(BLOG_LIST_KEY, fileOf(firstPageOf(site, null)));
  return paths;
}

/** Sorts keys in upload order, with all pages of a post together: a large rebuild then reads each post once. */
export function sortPagesForUpload(keys: Iterable<string>, isNew: (key: string) => boolean): string[] {
  const sorted = byKind(keys).flatMap(([, own]) => own);
  return inUploadOrder(sorted, (key) => kindOf(key).stage, isNew).flatMap(groupByPost);
}

/** Moves all keys of a post to its first key. */
function groupByPost(keys: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const name = kindOf(key).pathAt ? keySuffix(key) : key;
    const group = groups.get(name);
    if (group) group.push(key);
    else groups.set(name, [key]);
  }
  return [...groups.values()].flat();
}

/** Total size in bytes of the post bodies on each page, in key order. */
export async function pageSizes(site: Site, keys: readonly string[]): Promise<readonly number[]> {
  const weighed = byKind(keys).map(([kind, own]) => kind.sizes?.(site, own) ?? []);
  const weights = new Map((await Promise.all(weighed)).flatMap((own) => [...own]));
  return keys.map((key) => weights.get(key) ?? 0);
}

/** Builds the pages from the site's current state. Nothing else decides what is on the edge. */
export async function buildPages(site: Site, keys: readonly string[]): Promise<Page[]> {
  if (site.isTakenDown) return [];
  const shown = byKind(keys).map(async ([kind, own]) =>
    (await kind.build(site, own)).map((page) => ({ stage: kind.stage, ...page })),
  );
  return (await Promise.all(shown)).flat();
}

/** Groups keys by kind, in the order of `kinds`. Kinds without keys are left out. */
function byKind(keys: Iterable<string>): (readonly [PageKind, readonly string[]])[] {
  const owned = new Map(kinds.map((kind) => [kind, [] as string[]]));
  for (const key of keys) owned.get(kindOf(key))?.push(key);
  return [...owned].filter(([, own]) => own.length > 0);
}

function kindOf(key: string): PageKind {
  const kind = kindsByName.get(key.slice(0, key.indexOf(':')));
  if (!kind) throw new TypeError(`no kind of page has the key ${key}`);
  return kind;
}

const kindsByName = new Map(kinds.map((kind) => [kind.name, kind]));
