import { absoluteUrl, fileOf, postAddress, ROOT, shownAddress } from '../addresses.ts';
import type { PostLink, PostView } from '../page.ts';
import { ownPreviewImage } from '../preview-image.ts';
import type { SiteBlog } from '../site/blog.ts';
import type { ListPlace } from '../site/list.ts';
import { byPublication } from '../site/order.ts';
import type { SitePost, SitePostSummary } from '../site/post.ts';
import type { Site } from '../site/site.ts';
import { cardAddress } from './card.ts';
import { neighboursInSeries, type PartNeighbours } from './lists/series.ts';
import { type BuiltPage, keySuffix, type PageKind, postSizes } from './page-kind.ts';

/**
 * Each post's page, and each page's. A post links to the next newer and older posts, and to those before and after it
 * in its series, so a change affects their pages, too.
 */
export const posts: PageKind = {
  name: 'post',
  stage: 'posts',
  allKeys: async (site) => (await site.allPostIds()).map(keyOf),
  async affectedKeys(site, { postId, homeList, pageNumber, publishedAt, series, relatedBy }) {
    const places = homeList === null ? [{ id: postId, pageNumber, publishedAt }] : [];
    const { newer, older } = (await neighboursOf(site, places)).get(postId) ?? {};
    const { previous, next } = await neighboursInSeries(site, postId, series);
    const beside = new Set([newer, older, previous, next].flatMap((post) => post?.id ?? []));
    return [postId, ...beside, ...relatedBy].map(keyOf);
  },
  pathAt: (slug) => fileOf(postAddress(slug)),
  sizes: postSizes,
  async build(site, keys) {
    const found = [...(await site.posts(keys.map(keySuffix))).values()];
    const inList = found.filter(({ homeList }) => homeList === null);
    const neighbours = await neighboursOf(site, inList);
    const related = await site.related(inList.map(({ id }) => id));
    return Promise.all(
      found.map(async (post) => {
        const place = post.homeList === null ? post.series : null;
        const inSeries = await neighboursInSeries(site, post.id, place);
        return buildPost(site.blog, post, {
          ...neighbours.get(post.id),
          ...inSeries,
          related: related.get(post.id) ?? [],
        });
      }),
    );
  },
};

const keyOf = (id: string): string => `post:${id}`;

function buildPost(blog: SiteBlog, post: SitePost, beside: Partial<Neighbours>): BuiltPage {
  // The page links to the card before the card is drawn.
  const cardUrl = absoluteUrl(blog.url, cardAddress(blog, post));
  return {
    key: keyOf(post.id),
    path: fileOf(postAddress(post.slug)),
    body: {
      kind: 'html',
      view:
        shownAddress(blog, post) === ROOT
          ? { layout: 'redirect', blog, to: blog.url }
          : postView(blog, post, { cardUrl, ...beside }),
    },
  };
}

interface Surroundings extends Neighbours {
  readonly cardUrl: string;
  readonly front: PostView['front'];
}

/** The view of a post, published or not. A draft has neither a card nor neighbours. */
export const postView = (
  blog: SiteBlog,
  post: SitePost,
  { cardUrl = '', ...beside }: Partial<Surroundings> = {},
): PostView => ({
  layout: 'post',
  blog,
  post,
  address: shownAddress(blog, post),
  ogImage: ownPreviewImage(post)?.url ?? cardUrl,
  newer: beside.newer ? linkTo(beside.newer) : null,
  older: beside.older ? linkTo(beside.older) : null,
  related: (beside.related ?? []).map(linkTo),
  previousPart: beside.previous ? linkTo(beside.previous) : null,
  nextPart: beside.next ? linkTo(beside.next) : null,
  front: beside.front ?? null,
});

const linkTo = ({ slug, title, lang, language }: SitePostSummary): PostLink => ({
  slug,
  title,
  lang,
  language,
});

interface Neighbours extends PostNeighbours, PartNeighbours {
  readonly related: readonly SitePostSummary[];
}

interface PostNeighbours {
  readonly newer: SitePostSummary | undefined;
  readonly older: SitePostSummary | undefined;
}

/** The neighbours of each place in the blog's main list, from its list page or the nearest ones with posts. */
async function neighboursOf(
  site: Site,
  places: readonly ListPlace[],
): Promise<ReadonlyMap<string, PostNeighbours>> {
  const pageNumbers = new Set(places.map(({ pageNumber }) => pageNumber));
  for (const pageNumber of [...pageNumbers]) {
    const onPage = places.filter((place) => place.pageNumber === pageNumber).sort(byPublication);
    const [first, last] = [onPage[0], onPage.at(-1)];
    const older = first && (await site.adjacentListPages(null, first)).older;
    const newer = last && (await site.adjacentListPages(null, last)).newer;
    for (const next of [older, newer]) if (typeof next === 'number') pageNumbers.add(next);
  }
  const listed = [...(await site.listPages(null, [...pageNumbers])).values()].flat().sort(byPublication);
  return new Map(places.map((place) => [place.id, findNeighbours(place, listed)]));
}

function findNeighbours(place: ListPlace, listed: readonly SitePostSummary[]): PostNeighbours {
  const others = listed.filter(({ id }) => id !== place.id);
  const next = others.findIndex((post) => byPublication(post, place) > 0);
  return next < 0
    ? { newer: undefined, older: others.at(-1) }
    : { newer: others[next], older: next === 0 ? undefined : others[next - 1] };
}
