import { type Address, fileOf, firstPageAddress, listAddress } from '../../addresses.ts';
import { MAX_FEATURED } from '../../layouts/data.ts';
import { FEATURED, hasPages, type ListPlace, type ListRef, monthOf } from '../../site/list.ts';
import { placesOf } from '../../site/placement.ts';
import type { SitePostSummary, Tag } from '../../site/post.ts';
import type { Site } from '../../site/site.ts';
import { blogCardUrl } from '../card.ts';
import { type BuiltPage, keySuffix, type PageKind } from '../page-kind.ts';
import { mayBeAmongNewest } from './newest.ts';

/** Minimum number of posts on a first page, if the list has as many. */
const FIRST_PAGE_LENGTH = 10;

/**
 * Lists of posts: of the whole blog, of each tag and of each month. List pages are numbered from the oldest, so
 * `/page/7/` keeps its posts, and a new post changes only the newest page. A page that is split because of a post with
 * an older date gives half of its posts to a page with a new number. The first page shows as many of the newest
 * list pages as fill it, and links to the next older one.
 *
 * Keys: `list:<list, or empty>:<list page, or "first">`.
 */
export const lists: PageKind = {
  name: 'list',
  stage: 'lists',
  async allKeys(site) {
    const keys: string[] = [];
    for (const list of [null, ...(await site.allLists())]) {
      keys.push(keyOf(list, null));
      for (const pageNumber of await site.allPageNumbers(list)) keys.push(keyOf(list, pageNumber));
    }
    return keys;
  },
  async affectedKeys(site, placement, changed) {
    const keys = placesOf(placement).map(async ({ list, place }) => {
      if (hasPages(list)) return affectedListPages(site, list, place, changed);
      const isPickedOut = list === FEATURED && (await mayBeAmongNewest(site, list, place, MAX_FEATURED));
      return isPickedOut ? [BLOG_LIST_KEY] : [];
    });
    return (await Promise.all(keys)).flat();
  },
  async build(site, keys) {
    const wanted = new Map<ListRef, (number | null)[]>();
    for (const { list, pageNumber } of keys.map(parseKey))
      wanted.set(list, [...(wanted.get(list) ?? []), pageNumber]);
    const pages = [...wanted].map(async ([list, pageNumbers]) => {
      const numbered = await buildNumberedPages(
        site,
        list,
        pageNumbers.filter((pageNumber) => pageNumber !== null),
      );
      return pageNumbers.includes(null) ? [...(await buildFirstPage(site, list)), ...numbered] : numbered;
    });
    return (await Promise.all(pages)).flat();
  },
};

async function affectedListPages(
  site: Site,
  list: ListRef,
  place: ListPlace,
  changed: ReadonlySet<string> | undefined,
): Promise<readonly string[]> {
  const { pageNumber } = place;
  const own = [keyOf(list, pageNumber)];
  const posts = (await site.listPages(list, [pageNumber])).get(pageNumber) ?? [];
  const wasThere = changed !== undefined && posts.some(({ id }) => !changed.has(id));
  if (wasThere) {
    return (await mayBeAmongNewest(site, list, place, FIRST_PAGE_LENGTH)) ? [...own, keyOf(list, null)] : own;
  }
  // If a list page is added or removed, the links on the first page and on both neighbours change.
  const { older, newer } = await site.adjacentListPages(list, place);
  const beside = [older, newer].flatMap((n) => (n === null ? [] : keyOf(list, n)));
  return [...own, ...beside, keyOf(list, null)];
}

/** The newest featured posts that a list does not show anyway. */
async function featuredBeside(site: Site, listed: readonly SitePostSummary[]): Promise<SitePostSummary[]> {
  const { posts } = await site.newest(FEATURED, MAX_FEATURED);
  return posts.slice(0, MAX_FEATURED).filter(({ id }) => listed.every((post) => post.id !== id));
}

async function buildFirstPage(site: Site, list: ListRef): Promise<BuiltPage[]> {
  const { posts, oldestPage } = await site.newest(list, FIRST_PAGE_LENGTH);
  const last = posts.at(-1);
  // The blog's own list has a first page even when it is empty; any other list without posts has none.
  if (list !== null && posts.length === 0) return [];
  const older =
    last === undefined || oldestPage === null
      ? null
      : (await site.adjacentListPages(list, { ...last, pageNumber: oldestPage })).older;
  return [
    listPage(site, {
      list,
      pageNumber: null,
      posts,
      featured: list === null ? await featuredBeside(site, posts) : [],
      newer: null,
      older: older === null ? null : listAddress(list, older),
    }),
  ];
}

async function buildNumberedPages(
  site: Site,
  list: ListRef,
  pageNumbers: readonly number[],
): Promise<BuiltPage[]> {
  const found = await site.listPages(list, pageNumbers);
  const pages = [...found].map(async ([pageNumber, posts]) => {
    const [first] = posts;
    if (!first) throw new Error(`list page ${pageNumber} has no posts`);
    const { older, newer } = await site.adjacentListPages(list, { ...first, pageNumber });
    return listPage(site, {
      list,
      pageNumber,
      posts,
      featured: [],
      newer: newer === null ? firstPageOf(site, list) : listAddress(list, newer),
      older: older === null ? null : listAddress(list, older),
    });
  });
  return Promise.all(pages);
}

interface ListPageContent {
  readonly list: ListRef;
  readonly pageNumber: number | null;
  readonly posts: readonly SitePostSummary[];
  readonly featured: readonly SitePostSummary[];
  readonly newer: Address | null;
  readonly older: Address | null;
}

export const firstPageOf = ({ blog }: Site, list: ListRef): Address =>
  firstPageAddress(list, blog.settings.frontPage);

const listPage = (site: Site, { list, ...shown }: ListPageContent): BuiltPage => ({
  key: keyOf(list, shown.pageNumber),
  path: fileOf(shown.pageNumber === null ? firstPageOf(site, list) : listAddress(list, shown.pageNumber)),
  body: {
    kind: 'html',
    view: {
      layout: 'list',
      blog: site.blog,
      tag: tagOf(list, shown.posts),
      month: monthOf(list),
      cardUrl: blogCardUrl(site.blog),
      ...shown,
    },
  },
});

/** Labels the tag as on the page's newest post: posts on other pages must not change this one. */
const tagOf = (list: ListRef, posts: readonly SitePostSummary[]): Tag | null =>
  posts[0]?.tags.find((tag) => tag.slug === list) ?? null;

const keyOf = (list: ListRef, pageNumber: number | null): string =>
  `list:${list ?? ''}:${pageNumber ?? 'first'}`;

/** Key of the first page of the blog's own list, which links to all others and so never counts as new. */
export const BLOG_LIST_KEY = keyOf(null, null);

function parseKey(key: string): { list: ListRef; pageNumber: number | null } {
  const [list, pageNumber] = keySuffix(key).split(':');
  return { list: list || null, pageNumber: pageNumber === 'first' ? null : Number(pageNumber) };
}
