import type { Page } from '../page.ts';
import type { Site } from '../site.ts';
import type { PageKind } from './page-kind.ts';

/**
 * Readers' search: the search page and the recent index. The search index itself (`base.ts`) is not a page: it is built
 * in the background, and may lag behind.
 */
export const search: PageKind = {
  name: 'search',
  all: async () => ['search:page', RECENT],
  reach: async () => [RECENT],
  show: async (site, keys) => [
    ...(keys.includes('search:page') ? [searchPage(site)] : []),
    ...(keys.includes(RECENT) ? [await recent(site)] : []),
  ],
};

/** Key of the recent index, which also changes when the search index is rebuilt. */
export const RECENT = 'search:recent';

const searchPage = ({ blog }: Site): Page => ({
  key: 'search:page',
  path: 'search/index.html',
  stage: 'lists',
  body: { kind: 'html', view: { layout: 'search', blog } },
});

const recent = async (site: Site): Promise<Page> => ({
  key: RECENT,
  path: 'search/recent.json',
  stage: 'lists',
  body: { kind: 'recent', changes: await site.recentChanges() },
});
