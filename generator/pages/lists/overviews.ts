import { ARCHIVE_PAGE, fileOf, TAGS_PAGE } from '../../addresses.ts';
import type { CountedMonth, CountedTag } from '../../page.ts';
import { type CountedLists, hasPages, monthList } from '../../site/list.ts';
import { placesOf } from '../../site/placement.ts';
import type { Site } from '../../site/site.ts';
import { blogCardUrl } from '../card.ts';
import type { BuiltPage, PageKind } from '../page-kind.ts';

/**
 * Overviews of all tags and of all months. They show lists and no posts, so they change if a list is added or removed,
 * if a list's oldest post changes, which gives a tag its label, and, while there are few enough lists to show the
 * number of posts in each, with each post in a list (decision 0032).
 */
export const overviews: PageKind = {
  name: 'overview',
  stage: 'lists',
  allKeys: async () => ['overview:tags', 'overview:months'],
  async affectedKeys(site, placement) {
    const places = placesOf(placement).filter(({ list }) => list !== null && hasPages(list));
    if (places.length === 0) return [];
    const ends = await Promise.all(
      places.map(async ({ list, place }) => (await site.adjacentListPages(list, place)).older === null),
    );
    const isChanged = async (kind: CountedLists) =>
      ends.includes(true) || (await site.listSizes(kind)) !== null;
    return [
      ...((await isChanged('tag')) ? ['overview:tags'] : []),
      ...((await isChanged('month')) ? ['overview:months'] : []),
    ];
  },
  build: async (site, keys) =>
    Promise.all([
      ...(keys.includes('overview:tags') ? [buildTags(site)] : []),
      ...(keys.includes('overview:months') ? [buildMonths(site)] : []),
    ]),
};

const buildTags = async (site: Site): Promise<BuiltPage> => ({
  key: 'overview:tags',
  path: fileOf(TAGS_PAGE),
  body: {
    kind: 'html',
    view: { layout: 'tags', blog: site.blog, cardUrl: blogCardUrl(site.blog), tags: await countedTags(site) },
  },
});

const buildMonths = async (site: Site): Promise<BuiltPage> => ({
  key: 'overview:months',
  path: fileOf(ARCHIVE_PAGE),
  body: {
    kind: 'html',
    view: {
      layout: 'archive',
      blog: site.blog,
      cardUrl: blogCardUrl(site.blog),
      months: await countedMonths(site),
    },
  },
});

async function countedTags(site: Site): Promise<CountedTag[]> {
  const [tags, sizes] = await Promise.all([site.tags(), site.listSizes('tag')]);
  return tags.map((tag) => ({ ...tag, posts: sizes?.get(tag.slug) ?? null }));
}

async function countedMonths(site: Site): Promise<CountedMonth[]> {
  const [months, sizes] = await Promise.all([site.months(), site.listSizes('month')]);
  return months.map((month) => ({ month, posts: sizes?.get(monthList(month)) ?? null }));
}
