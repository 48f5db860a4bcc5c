import { fileOf, RECENT_INDEX, SEARCH_PAGE } from '../addresses.ts';
import type { Page } from '../page.ts';
import type { Site } from '../site.ts';
import type { PageKind } from './page-kind.ts';

/**
 * Readers' search: the search page and the recent index. The search index itself (`base.ts`) is not a page: it is built
 * in the background, and may lag behind.
 */
export const search: PageKind = {
  name: 'search',
  allKeys: async () => ['search:page', RECENT_INDEX_KEY],
  affectedKeys: async () => [RECENT_INDEX_KEY],
  build: async (site, keys) => [
    ...(keys.includes('search:page') ? [searchPage(site)] : []),
    ...(keys.includes(RECENT_INDEX_KEY) ? [await recentIndexPage(site)] : []),
  ],
};

/** Key of the recent index, which also changes when the search index is rebuilt. */
export const RECENT_INDEX_KEY = 'search:recent';

const searchPage = ({ blog }: Site): Page => ({
  key: 'search:page',
  path: fileOf(SEARCH_PAGE),
  stage: 'lists',
  body: { kind: 'html', view: { layout: 'search', blog } },
});

const recentIndexPage = async (site: Site): Promise<Page> => ({
  key: RECENT_INDEX_KEY,
  path: fileOf(RECENT_INDEX),
  stage: 'lists',
  body: { kind: 'recent', changes: await site.recentChanges() },
});
