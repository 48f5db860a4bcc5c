import type { Page } from '../page.ts';
import { type ListRef, monthOf, type Site, type SitePostSummary, type Tag } from '../site.ts';
import { isAmongNewest } from './newest.ts';
import { afterName, type PageKind } from './page-kind.ts';

/** Minimum number of posts on a front page, if the list has as many. */
const FRONT_LENGTH = 10;

/**
 * Lists of posts: of the whole blog, of each tag and of each month. List pages are numbered from the oldest, so
 * `/page/7/` keeps its posts, and a new post changes only the newest page. The front page shows as many of the newest
 * list pages as fill it, and links to the next older one.
 *
 * Keys: `list:<list, or empty>:<list page, or "front">`.
 */
export const lists: PageKind = {
  name: 'list',
  async all(site) {
    const keys: string[] = [];
    for (const list of [null, ...(await site.allLists())]) {
      keys.push(keyOf(list, null));
      for (const run of await site.allRuns(list)) keys.push(keyOf(list, run));
    }
    return keys;
  },
  async reach(site, place, changed) {
    const places: [ListRef, number][] = [[null, place.run]];
    for (const { list, run } of place.lists) places.push([list, run]);
    const keys = places.map(async ([list, run]) => {
      const own = [keyOf(list, run)];
      const posts = (await site.runs(list, [run])).get(run) ?? [];
      const wasThere = changed !== undefined && posts.some(({ id }) => !changed.has(id));
      if (wasThere) {
        return (await isAmongNewest(site, list, run, FRONT_LENGTH)) ? [...own, keyOf(list, null)] : own;
      }
      // If a list page is added or removed, the links on the front page and on both neighbours change.
      const { older, newer } = await site.neighbours(list, run);
      const beside = [older, newer].flatMap((n) => (n === null ? [] : keyOf(list, n)));
      return [...own, ...beside, keyOf(list, null)];
    });
    return (await Promise.all(keys)).flat();
  },
  async show(site, keys) {
    const wanted = new Map<ListRef, (number | null)[]>();
    for (const { list, run } of keys.map(parseKey)) wanted.set(list, [...(wanted.get(list) ?? []), run]);
    const pages = [...wanted].map(async ([list, runs]) => {
      const numbered = await showRuns(
        site,
        list,
        runs.filter((run) => run !== null),
      );
      return runs.includes(null) ? [...(await showFront(site, list)), ...numbered] : numbered;
    });
    return (await Promise.all(pages)).flat();
  },
};

async function showFront(site: Site, list: ListRef): Promise<Page[]> {
  const { posts, oldestRun } = await site.newest(list, FRONT_LENGTH);
  // An empty blog has a front page; any other list without posts has none.
  if (list !== null && posts.length === 0) return [];
  const older = oldestRun === null ? null : (await site.neighbours(list, oldestRun)).older;
  return [
    listPage(site, {
      list,
      run: null,
      posts,
      newer: null,
      older: older === null ? null : runAddress(list, older),
    }),
  ];
}

async function showRuns(site: Site, list: ListRef, runs: readonly number[]): Promise<Page[]> {
  const found = await site.runs(list, runs);
  const pages = [...found].map(async ([run, posts]) => {
    const { older, newer } = await site.neighbours(list, run);
    return listPage(site, {
      list,
      run,
      posts,
      newer: newer === null ? addressOf(list) : runAddress(list, newer),
      older: older === null ? null : runAddress(list, older),
    });
  });
  return Promise.all(pages);
}

interface Shown {
  readonly list: ListRef;
  readonly run: number | null;
  readonly posts: readonly SitePostSummary[];
  readonly newer: string | null;
  readonly older: string | null;
}

const listPage = ({ blog }: Site, { list, ...shown }: Shown): Page => ({
  key: keyOf(list, shown.run),
  path: `${decodeURIComponent(shown.run === null ? addressOf(list) : runAddress(list, shown.run)).slice(1)}index.html`,
  stage: 'lists',
  body: {
    kind: 'html',
    view: { layout: 'list', blog, tag: tagOf(list, shown.posts), month: monthOf(list), ...shown },
  },
});

/** Labels the tag as on the page's newest post: posts on other pages must not change this one. */
const tagOf = (list: ListRef, posts: readonly SitePostSummary[]): Tag | null =>
  posts[0]?.tags.find((tag) => tag.slug === list) ?? null;

function addressOf(list: ListRef): string {
  if (list === null) return '/';
  const month = monthOf(list);
  return month === null ? `/tags/${encodeURIComponent(list)}/` : `/archive/${month}/`;
}

const runAddress = (list: ListRef, run: number): string => `${addressOf(list)}page/${run}/`;

const keyOf = (list: ListRef, run: number | null): string => `list:${list ?? ''}:${run ?? 'front'}`;

/** Whether the page is the blog's front page, which links to all others and so never counts as new. */
export const isFrontPage = (key: string): boolean => key === keyOf(null, null);

function parseKey(key: string): { list: ListRef; run: number | null } {
  const [list, run] = afterName(key).split(':');
  return { list: list || null, run: run === 'front' ? null : Number(run) };
}
