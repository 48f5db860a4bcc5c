import type { Page } from '../page.ts';
import { type ListRef, monthOf, type Site, type SitePostSummary, type Tag } from '../site.ts';
import { mayBeAmongNewest } from './newest.ts';
import { keySuffix, type PageKind } from './page-kind.ts';

/** How many posts a front page shows at least, where there are as many. */
const FRONT_LENGTH = 10;

/**
 * Lists of posts, of the whole blog, of each tag and of each month. `/page/7/` shows run 7 for ever: pages are numbered from the
 * oldest, so a new post changes the newest page alone. The front page shows the newest runs that together fill it,
 * and leads on to the run before them.
 *
 * Keys: `list:<name of the list or nothing>:<run or "front">`.
 */
export const lists: PageKind = {
  name: 'list',
  async allKeys(site) {
    const keys: string[] = [];
    for (const list of [null, ...(await site.allLists())]) {
      keys.push(keyOf(list, null));
      for (const run of await site.allPageNumbers(list)) keys.push(keyOf(list, run));
    }
    return keys;
  },
  async affectedKeys(site, place, changed) {
    const places: [ListRef, number][] = [[null, place.pageNumber]];
    for (const { list, pageNumber } of place.lists) places.push([list, pageNumber]);
    const keys = places.map(async ([list, run]) => {
      const own = [keyOf(list, run)];
      const posts = (await site.listPages(list, [run])).get(run) ?? [];
      const wasThere = changed !== undefined && posts.some(({ id }) => !changed.has(id));
      if (wasThere) {
        return (await mayBeAmongNewest(site, list, run, FRONT_LENGTH)) ? [...own, keyOf(list, null)] : own;
      }
      // A run that has come or gone changes where the front page and the pages on either side of it lead.
      const { older, newer } = await site.adjacentListPages(list, pageNumber);
      const beside = [older, newer].flatMap((n) => (n === null ? [] : keyOf(list, n)));
      return [...own, ...beside, keyOf(list, null)];
    });
    return (await Promise.all(keys)).flat();
  },
  async build(site, keys) {
    const wanted = new Map<ListRef, (number | null)[]>();
    for (const { list, run } of keys.map(parseKey)) wanted.set(list, [...(wanted.get(list) ?? []), run]);
    const pages = [...wanted].map(async ([list, runs]) => {
      const numbered = await buildNumberedPages(
        site,
        list,
        runs.filter((run) => run !== null),
      );
      return runs.includes(null) ? [...(await buildFrontPage(site, list)), ...numbered] : numbered;
    });
    return (await Promise.all(pages)).flat();
  },
};

async function buildFrontPage(site: Site, list: ListRef): Promise<Page[]> {
  const { posts, oldestPage } = await site.newest(list, FRONT_LENGTH);
  // An empty blog has a front page, any other list without posts has none.
  if (list !== null && posts.length === 0) return [];
  const older = oldestPage === null ? null : (await site.adjacentListPages(list, oldestPage)).older;
  return [
    listPage(site, {
      list,
      pageNumber: null,
      posts,
      newer: null,
      older: older === null ? null : listPageUrlPath(list, older),
    }),
  ];
}

async function buildNumberedPages(site: Site, list: ListRef, pageNumbers: readonly number[]): Promise<Page[]> {
  const found = await site.listPages(list, pageNumbers);
  const pages = [...found].map(async ([pageNumber, posts]) => {
    const { older, newer } = await site.adjacentListPages(list, pageNumber);
    return listPage(site, {
      list,
      pageNumber,
      posts,
      newer: newer === null ? frontPageUrlPath(list) : listPageUrlPath(list, newer),
      older: older === null ? null : listPageUrlPath(list, older),
    });
  });
  return Promise.all(pages);
}

interface ListPageContent {
  readonly list: ListRef;
  readonly pageNumber: number | null;
  readonly posts: readonly SitePostSummary[];
  readonly newer: string | null;
  readonly older: string | null;
}

const listPage = ({ blog }: Site, { list, ...shown }: ListPageContent): Page => ({
  key: keyOf(list, shown.pageNumber),
  path: `${decodeURIComponent(shown.pageNumber === null ? frontPageUrlPath(list) : listPageUrlPath(list, shown.pageNumber)).slice(1)}index.html`,
  stage: 'lists',
  body: {
    kind: 'html',
    view: { layout: 'list', blog, tag: tagOf(list, shown.posts), month: monthOf(list), ...shown },
  },
});

/** A tag is named as on the newest post of the page: what other pages show must not change this one. */
const tagOf = (list: ListRef, posts: readonly SitePostSummary[]): Tag | null =>
  posts[0]?.tags.find((tag) => tag.slug === list) ?? null;

function frontPageUrlPath(list: ListRef): string {
  if (list === null) return '/';
  const month = monthOf(list);
  return month === null ? `/tags/${encodeURIComponent(list)}/` : `/archive/${month}/`;
}

const listPageUrlPath = (list: ListRef, run: number): string => `${frontPageUrlPath(list)}page/${run}/`;

const keyOf = (list: ListRef, run: number | null): string => `list:${list ?? ''}:${run ?? 'front'}`;

/** Whether it is the blog's own front page, by which readers come to all others: it is never new to them. */
export const isFrontPage = (key: string): boolean => key === keyOf(null, null);

function parseKey(key: string): { list: ListRef; run: number | null } {
  const [list, run] = keySuffix(key).split(':');
  return { list: list || null, run: run === 'front' ? null : Number(run) };
}
