import type { Page, PostLink } from '../page.ts';
import { byPublication, type Site, type SiteBlog, type SitePost, type SitePostSummary } from '../site.ts';
import { cardPath } from './card.ts';
import { afterName, type PageKind, weighPosts } from './page-kind.ts';

/** Each post's page at `/<slug>/`. It links to the next newer and older posts, so a change affects their pages too. */
export const posts: PageKind = {
  name: 'post',
  all: async (site) => (await site.allPostIds()).map(keyOf),
  async reach(site, { postId, run, publishedAt }) {
    const { newer, older } = (await besides(site, [{ id: postId, run, publishedAt }])).get(postId) ?? {};
    return [postId, ...[newer, older].flatMap((post) => post?.id ?? [])].map(keyOf);
  },
  pathAt: pathOf,
  weigh: weighPosts,
  async show(site, keys) {
    const found = [...(await site.posts(keys.map(afterName))).values()];
    const beside = await besides(site, found);
    return found.map((post) => showPost(site.blog, post, beside.get(post.id)));
  },
};

const keyOf = (id: string): string => `post:${id}`;

function pathOf(slug: string): string {
  return `${slug}/index.html`;
}

function showPost(blog: SiteBlog, post: SitePost, beside: Beside | undefined): Page {
  return {
    key: keyOf(post.id),
    path: pathOf(post.slug),
    stage: 'posts',
    body: {
      kind: 'html',
      view: {
        layout: 'post',
        blog,
        post,
        ogImage: previewImage(blog, post),
        newer: linkTo(beside?.newer),
        older: linkTo(beside?.older),
      },
    },
  };
}

/** Absolute URL of the image for link previews. The page links to the card before the card is drawn. */
const previewImage = (blog: SiteBlog, post: SitePost): string =>
  post.ogImage ?? new URL(cardPath(blog, post), blog.url).href;

const linkTo = (post: SitePostSummary | undefined): PostLink | null =>
  post === undefined ? null : { slug: post.slug, title: post.title, lang: post.lang };

/** The sort key of posts in a list: all that is known of a removed post. */
type Place = Pick<SitePostSummary, 'id' | 'run' | 'publishedAt'>;

interface Beside {
  readonly newer: SitePostSummary | undefined;
  readonly older: SitePostSummary | undefined;
}

/** The neighbours of each place in the blog's main list, from its list page or the nearest ones with posts. */
async function besides(site: Site, places: readonly Place[]): Promise<ReadonlyMap<string, Beside>> {
  const runs = new Set(places.map(({ run }) => run));
  for (const run of [...runs]) {
    const { older, newer } = await site.neighbours(null, run);
    for (const next of [older, newer]) if (next !== null) runs.add(next);
  }
  const listed = [...(await site.runs(null, [...runs])).values()].flat().sort(oldestFirst);
  return new Map(places.map((place) => [place.id, besideOf(place, listed)]));
}

function besideOf(place: Place, listed: readonly SitePostSummary[]): Beside {
  const others = listed.filter(({ id }) => id !== place.id);
  const next = others.findIndex((post) => oldestFirst(post, place) > 0);
  return next < 0
    ? { newer: undefined, older: others.at(-1) }
    : { newer: others[next], older: next === 0 ? undefined : others[next - 1] };
}

const oldestFirst = (one: Place, other: Place): number => one.run - other.run || byPublication(one, other);
