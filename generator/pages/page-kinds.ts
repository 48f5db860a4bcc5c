import type { Page } from '../page.ts';
import type { Placement, Site } from '../site.ts';
import { blogWide } from './blog-wide.ts';
import { cards } from './card.ts';
import { feeds } from './feed.ts';
import { headers } from './headers.ts';
import { hosts } from './host.ts';
import { lists } from './list.ts';
import { llms } from './llms.ts';
import { indexes } from './overviews.ts';
import { keySuffix, type PageKind } from './page-kind.ts';
import { posts } from './post.ts';
import { redirects } from './redirect.ts';
import { search } from './search.ts';
import { sitemaps } from './sitemap.ts';
import { sources } from './source.ts';

/** Response headers and hosts apply to all other pages, so they are uploaded first. */
const uploadedFirst: readonly PageKind[] = [headers, hosts];

/** Kinds with one page per post. A large rebuild renders them together, so that it reads each post once. */
const perPostKinds: readonly PageKind[] = [sources, posts];

/** Every page kind of a blog, in upload order. */
const kinds: readonly PageKind[] = [
  ...uploadedFirst,
  ...perPostKinds,
  redirects,
  lists,
  indexes,
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

/** Keys of the pages that changes may have touched. `places` are the changed posts' positions, old and new. */
export async function affectedPageKeys(site: Site, places: readonly Placement[]): Promise<string[]> {
  const keys = new Set<string>();
  const changed = new Set(places.map(({ postId }) => postId));
  for (const kind of kinds) {
    const reached = await Promise.all(places.map((place) => kind.affectedKeys(site, place, changed)));
    for (const key of reached.flat()) keys.add(key);
  }
  return [...keys];
}

/** Paths of the pages whose path depends on a slug (`PageKind.pathAt`), by key. */
export async function postPagePaths(
  site: Site,
  keys: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const ofPosts = byKind(keys).flatMap(([{ pathAt }, own]) =>
    pathAt ? own.map((key) => ({ key, pathAt })) : [],
  );
  const slugs = await site.slugs([...new Set(ofPosts.map(({ key }) => keySuffix(key)))]);
  return new Map(
    ofPosts.flatMap(({ key, pathAt }) => {
      const slug = slugs.get(keySuffix(key));
      return slug === undefined ? [] : [[key, pathAt(slug)] as const];
    }),
  );
}

/**
 * Sorts keys in upload order. Pages that are new to the edge come first, because existing pages link to them. Within
 * both groups pages are sorted by kind, with all pages of a post together.
 */
export function sortPagesForUpload(keys: Iterable<string>, isNew: (key: string) => boolean): string[] {
  const [added, there]: [string[], string[]] = [[], []];
  for (const [kind, own] of byKind(keys)) {
    for (const key of own) (uploadedFirst.includes(kind) || isNew(key) ? added : there).push(key);
  }
  return [...groupByPost(added), ...groupByPost(there)];
}

/** Moves all keys of a post to its first key. */
function groupByPost(keys: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const name = perPostKinds.some((kind) => kind.name === kindNameOf(key)) ? keySuffix(key) : key;
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
  const shown = byKind(keys).map(([kind, own]) => kind.build(site, own));
  return (await Promise.all(shown)).flat();
}

/** Groups keys by kind, in the order of `kinds`. Kinds without keys are left out. */
function byKind(keys: Iterable<string>): (readonly [PageKind, readonly string[]])[] {
  const owned = new Map(kinds.map((kind) => [kind.name, { kind, own: [] as string[] }]));
  for (const key of keys) {
    const owner = owned.get(kindNameOf(key));
    if (!owner) throw new TypeError(`no kind of page has the key ${key}`);
    owner.own.push(key);
  }
  return [...owned.values()].flatMap(({ kind, own }) => (own.length > 0 ? [[kind, own] as const] : []));
}

/** Name of a key's page kind. */
const kindNameOf = (key: string): string => key.slice(0, key.indexOf(':'));
