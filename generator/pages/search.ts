import { fileOf, RECENT_INDEX, SEARCH_PAGE } from '../addresses.ts';
import type { Site } from '../site/site.ts';
import { blogCardUrl } from './card.ts';
import type { BuiltPage, PageKind } from './page-kind.ts';

/**
 * Readers' search: the search page and the recent index. The search index itself (`generator/search/search-index.ts`)
 * is not a page: it is built in the background, and may lag behind.
 */
export const search: PageKind = {
  name: 'search',
  stage: 'lists',
  allKeys: async () => ['search:page', RECENT_INDEX_KEY],
  affectedKeys: async () => [RECENT_INDEX_KEY],
  build: async (site, keys) => [
    ...(keys.includes('search:page') ? [searchPage(site)] : []),
    ...(keys.includes(RECENT_INDEX_KEY) ? [await recentIndexPage(site)] : []),
  ],
};

/** Key of the recent index, which also changes when the search index is rebuilt. */
export const RECENT_INDEX_KEY = 'search:recent';

const searchPage = ({ blog }: Site): BuiltPage => ({
  key: 'search:page',
  path: fileOf(SEARCH_PAGE),
  body: { kind: 'html', view: { layout: 'search', blog, cardUrl: blogCardUrl(blog) } },
});

const recentIndexPage = async (site: Site): Promise<BuiltPage> => ({
  key: RECENT_INDEX_KEY,
  path: fileOf(RECENT_INDEX),
  body: { kind: 'recent', changes: await site.recentChanges() },
});
