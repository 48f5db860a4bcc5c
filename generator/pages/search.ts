import type { Page } from '../page.ts';
import type { Site } from '../site.ts';
import type { PageKind } from './page-kind.ts';

/**
 * Search for readers: the page, and what it must know beside the base. The base itself (`base.ts`) is no page: it is
 * made in the background, and may be behind.
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

/** Key of the page that changes with the base. */
export const RECENT_INDEX_KEY = 'search:recent';

const searchPage = ({ blog }: Site): Page => ({
  key: 'search:page',
  path: 'search/index.html',
  stage: 'lists',
  body: { kind: 'html', view: { layout: 'search', blog } },
});

const recentIndexPage = async (site: Site): Promise<Page> => ({
  key: RECENT_INDEX_KEY,
  path: 'search/recent.json',
  stage: 'lists',
  body: { kind: 'recent', changes: await site.recentChanges() },
});
