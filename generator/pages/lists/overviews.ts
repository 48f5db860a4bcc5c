import { ARCHIVE_PAGE, fileOf, TAGS_PAGE } from '../../addresses.ts';
import { hasPages, placesOf, type Site } from '../../site.ts';
import type { BuiltPage, PageKind } from '../page-kind.ts';

/**
 * Overviews of all tags and of all months. They show lists and no posts, so they change only if a list is added or
 * removed, or if a list's oldest post changes, which gives a tag its label.
 */
export const indexes: PageKind = {
  name: 'index',
  stage: 'lists',
  allKeys: async () => ['index:tags', 'index:months'],
  async affectedKeys(site, placement) {
    const ends = await Promise.all(
      placesOf(placement).map(
        async ({ list, place }) =>
          list !== null && hasPages(list) && (await site.adjacentListPages(list, place)).older === null,
      ),
    );
    return ends.includes(true) ? ['index:tags', 'index:months'] : [];
  },
  build: async (site, keys) =>
    Promise.all([
      ...(keys.includes('index:tags') ? [buildTags(site)] : []),
      ...(keys.includes('index:months') ? [buildMonths(site)] : []),
    ]),
};

const buildTags = async (site: Site): Promise<BuiltPage> => ({
  key: 'index:tags',
  path: fileOf(TAGS_PAGE),
  body: { kind: 'html', view: { layout: 'tags', blog: site.blog, tags: await site.tags() } },
});

const buildMonths = async (site: Site): Promise<BuiltPage> => ({
  key: 'index:months',
  path: fileOf(ARCHIVE_PAGE),
  body: { kind: 'html', view: { layout: 'archive', blog: site.blog, months: await site.months() } },
});
