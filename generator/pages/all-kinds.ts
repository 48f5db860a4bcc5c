import type { Page } from '../page.ts';
import type { Placement, Site } from '../site.ts';
import { blogWide } from './blog-wide.ts';
import { cards } from './card.ts';
import { feeds } from './feed.ts';
import { headers } from './headers.ts';
import { hosts } from './host.ts';
import { indexes } from './indexes.ts';
import { lists } from './list.ts';
import { llms } from './llms.ts';
import type { PageKind } from './page-kind.ts';
import { posts } from './post.ts';
import { redirects } from './redirect.ts';
import { search } from './search.ts';
import { sitemaps } from './sitemap.ts';
import { sources } from './source.ts';

/** Every kind of page that a blog has, in the order in which their files are put in place. */
const kinds: readonly PageKind[] = [
  headers,
  hosts,
  sources,
  posts,
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

/** Keys of all pages of the site. */
export async function allPages(site: Site): Promise<string[]> {
  return (await Promise.all(kinds.map((kind) => kind.all(site)))).flat();
}

/** Keys of the pages that changes can have touched, given where the changed posts stood and stand. */
export async function reachedPages(site: Site, places: readonly Placement[]): Promise<string[]> {
  const keys = new Set<string>();
  const changed = new Set(places.map(({ postId }) => postId));
  for (const kind of kinds) {
    const reached = await Promise.all(places.map((place) => kind.reach(site, place, changed)));
    for (const key of reached.flat()) keys.add(key);
  }
  return [...keys];
}

/**
 * The keys in the order in which their files are put in place: kind by kind, and in each what is new to the edge before
 * what is there already, because it is from there that readers come upon what is new. Not all of it: who comes upon a
 * new post from the one before it finds no list of a tag that is new with it, until the lists are in place.
 */
export function inPlacingOrder(keys: Iterable<string>, isOnEdge: (key: string) => boolean): string[] {
  const ranks = new Map(kinds.map((kind) => [kind.name, { kind, keys: [[], [], [], []] as string[][] }]));
  for (const key of keys) {
    const rank = ranks.get(key.slice(0, key.indexOf(':')));
    if (!rank) throw new TypeError(`no kind of page has the key ${key}`);
    rank.keys[2 * Number(isOnEdge(key)) + Number(rank.kind.leads?.(key) ?? false)]?.push(key);
  }
  return [...ranks.values()].flatMap((rank) => rank.keys.flat());
}

/** What the pages show now. Nothing else decides what is on the edge. */
export async function showPages(site: Site, keys: readonly string[]): Promise<Page[]> {
  const shown = kinds.map((kind) => {
    const own = keys.filter((key) => isOf(kind, key));
    return own.length === 0 ? [] : kind.show(site, own);
  });
  return (await Promise.all(shown)).flat();
}

const isOf = ({ name }: PageKind, key: string): boolean => key.startsWith(`${name}:`);
