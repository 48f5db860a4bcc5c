import { fileOf, seriesAddress } from '../../addresses.ts';
import { byPart, type SeriesPlace } from '../../site/order.ts';
import type { SeriesPart, SitePostSummary } from '../../site/post.ts';
import type { Site } from '../../site/site.ts';
import { blogCardUrl } from '../card.ts';
import { type BuiltPage, keySuffix, type PageKind } from '../page-kind.ts';

/**
 * A page for each series, with all of its posts. The number of posts in a series is limited, so its cost is, too.
 *
 * Keys: `series:<slug>`.
 */
export const series: PageKind = {
  name: 'series',
  stage: 'lists',
  allKeys: async (site) => (await site.allSeries()).map(keyOf),
  affectedKeys: async (_site, place) => (place.series === null ? [] : [keyOf(place.series.slug)]),
  build: async (site, keys) =>
    (await Promise.all(keys.map((key) => buildSeries(site, keySuffix(key))))).flat(),
};

const keyOf = (slug: string): string => `series:${slug}`;

async function buildSeries(site: Site, slug: string): Promise<BuiltPage[]> {
  const posts = await site.series(slug);
  const name = posts[0]?.series?.name;
  if (name === undefined) return [];
  return [
    {
      key: keyOf(slug),
      path: fileOf(seriesAddress(slug)),
      body: {
        kind: 'html',
        view: { layout: 'series', blog: site.blog, name, slug, posts, cardUrl: blogCardUrl(site.blog) },
      },
    },
  ];
}

export interface PartNeighbours {
  readonly previous: SitePostSummary | undefined;
  readonly next: SitePostSummary | undefined;
}

/** The posts before and after a place in a series. The post at the place itself may or may not be there. */
export async function neighboursInSeries(
  site: Site,
  id: string,
  place: Pick<SeriesPart, 'slug' | 'part'> | null,
): Promise<PartNeighbours> {
  if (place === null) return { previous: undefined, next: undefined };
  const others = (await site.series(place.slug)).filter((post) => post.id !== id);
  const isBefore = (post: SitePostSummary) => byPart(seriesPlaceOf(post), { id, part: place.part }) < 0;
  return { previous: others.findLast(isBefore), next: others.find((post) => !isBefore(post)) };
}

const seriesPlaceOf = ({ id, series }: SitePostSummary): SeriesPlace => ({ id, part: series?.part ?? 0 });
