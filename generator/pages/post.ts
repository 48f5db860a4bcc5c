import { absoluteUrl, fileOf, postAddress } from '../addresses.ts';
import type { PostLink, PostView } from '../page.ts';
import {
  byPublication,
  type ListPlace,
  type Site,
  type SiteBlog,
  type SitePost,
  type SitePostSummary,
} from '../site.ts';
import { cardAddress } from './card.ts';
import { type BuiltPage, keySuffix, type PageKind, postSizes } from './page-kind.ts';

/** Each post's page. It links to the next newer and older posts, so a change affects their pages too. */
export const posts: PageKind = {
  name: 'post',
  stage: 'posts',
  allKeys: async (site) => (await site.allPostIds()).map(keyOf),
  async affectedKeys(site, { postId, pageNumber, publishedAt }) {
    const { newer, older } =
      (await neighboursOf(site, [{ id: postId, pageNumber, publishedAt }])).get(postId) ?? {};
    return [postId, ...[newer, older].flatMap((post) => post?.id ?? [])].map(keyOf);
  },
  pathAt: (slug) => fileOf(postAddress(slug)),
  sizes: postSizes,
  async build(site, keys) {
    const found = [...(await site.posts(keys.map(keySuffix))).values()];
    const beside = await neighboursOf(site, found);
    return found.map((post) => buildPost(site.blog, post, beside.get(post.id)));
  },
};

const keyOf = (id: string): string => `post:${id}`;

function buildPost(blog: SiteBlog, post: SitePost, beside: PostNeighbours | undefined): BuiltPage {
  return {
    key: keyOf(post.id),
    path: fileOf(postAddress(post.slug)),
    body: {
      kind: 'html',
      // The page links to the card before the card is drawn.
      view: postView(blog, post, absoluteUrl(blog.url, cardAddress(blog, post)), beside),
    },
  };
}

/** The view of a post, published or not. A draft has neither a card nor neighbours. */
export const postView = (
  blog: SiteBlog,
  post: SitePost,
  cardUrl = '',
  beside?: PostNeighbours,
): PostView => ({
  layout: 'post',
  blog,
  post,
  ogImage: post.ogImage ?? cardUrl,
  newer: linkTo(beside?.newer),
  older: linkTo(beside?.older),
});

const linkTo = (post: SitePostSummary | undefined): PostLink | null =>
  post === undefined ? null : { slug: post.slug, title: post.title, lang: post.lang };

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
