import type { Page } from '../page.ts';
import type { Site } from '../site.ts';
import type { PageKind } from './page-kind.ts';

/**
 * Search for readers: the page, and what it must know beside the base. The base itself (`base.ts`) is no page: it is
 * made in the background, and may be behind.
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

/** Key of the page that changes with the base. */
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
