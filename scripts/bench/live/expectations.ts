import { feedsOf, frontPage, LLMS_FILES, listPage, ownFiles, RECENT_INDEX, sitemapOf } from './pages.ts';
import type { PostPositions } from './post-positions.ts';
import { type Expectation, filesContaining, type WatchedEdge } from './watch.ts';

interface Post {
  readonly id: string;
  readonly slug: string;
}

/** The affected files of each operation, with what readers then see in them. */
export interface Expectations {
  /** To be read after the write. */
  published(slug: string): Expectation[];
  /** To be called before the write; the result is to be read after it. */
  retagged(post: Post, tags: { removed: string; added: string }): Promise<() => Expectation[]>;
  /** To be called before the write. */
  removed(post: Post): Promise<Expectation[]>;
}

export function createExpectations(edge: WatchedEdge, positions: PostPositions): Expectations {
  /** Paths of the list pages and feeds that can show a post, in these lists of it. */
  const listFilesOf = (postId: string, isWanted = (_list: string) => true) => {
    const lists = positions.listsOf(postId).filter(({ list }) => isWanted(list));
    return {
      pages: lists.flatMap((place) => [frontPage(place.list), listPage(place)]),
      feeds: lists.flatMap(({ list }) => feedsOf(list)),
    };
  };

  const sitemapOfPost = (postId: string) => {
    const place = positions.listsOf(postId).find(({ list }) => list === '');
    if (!place) throw new Error('a published post is in no list');
    return sitemapOf(place);
  };

  /** Paths of all files that can show a post, other than its own. */
  const filesShowing = ({ id, slug }: Post) => {
    const { pages, feeds } = listFilesOf(id);
    const neighbours = positions.neighboursOf(slug).map((beside) => `${beside}/index.html`);
    return [...pages, ...feeds, sitemapOfPost(id), ...LLMS_FILES, ...neighbours];
  };

  return {
    published(slug) {
      const pages = [...filesShowing({ id: positions.idOf(slug), slug }), RECENT_INDEX];
      return [...each(ownFiles(slug), {}), ...each(pages, { contains: [slug] })];
    },

    async retagged({ id, slug }, { removed, added }) {
      const [address, link] = [`/${slug}/`, `/tags/${added}/`];
      const kept = listFilesOf(id, (list) => list !== removed);
      const lost = listFilesOf(id, (list) => list === removed);
      const inLists = await filesContaining(edge, kept.pages, [address]);
      const inFeeds = await filesContaining(edge, kept.feeds, [address]);
      const noLongerListed = await filesContaining(edge, [...lost.pages, ...lost.feeds], [address]);
      return () => {
        // An old post stands where its date belongs: neither the tag's front page nor its feeds need to show it.
        const gained = positions
          .listsOf(id)
          .filter(({ list }) => list === added)
          .map(listPage);
        return [
          { path: `${slug}/index.html`, contains: [link] },
          { path: `${slug}.md`, contains: [added] },
          ...each(inLists, { contains: [address, link] }),
          ...each([...inFeeds, sitemapOfPost(id)], { contains: [address] }),
          ...each(gained, { contains: [address] }),
          ...each(noLongerListed, { lacks: [address] }),
          { path: RECENT_INDEX },
        ];
      };
    },

    async removed(post) {
      const traces = [`/${post.slug}/`, `/${post.slug}.md`];
      const affected = await filesContaining(edge, filesShowing(post), traces);
      return [
        ...each(ownFiles(post.slug), { isGone: true }),
        ...each(affected, { lacks: traces }),
        { path: RECENT_INDEX, contains: [post.id] },
      ];
    },
  };
}

const each = (paths: readonly string[], expected: Omit<Expectation, 'path'>): Expectation[] =>
  paths.map((path) => ({ path, ...expected }));
