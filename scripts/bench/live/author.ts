import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchPost } from '../seed/bench-post.ts';
import type { SeededBlog } from '../seed/seeded.ts';
import { tags as allTags } from '../seed/words.ts';
import type { Client, Receipt, Written } from '../support/client.ts';
import { FOR_MODELS, feedsOf, frontPage, ownFiles, RECENT, runPage, sitemapOf } from './pages.ts';
import { openPlaces } from './places.ts';
import {
  assertSeen,
  type Expectation,
  mentioning,
  untilWritten,
  type WatchedEdge,
  watchFolder,
} from './watch.ts';

/** Measurements of one operation, in milliseconds since its request was sent, with the receipt of its rebuild. */
export interface Operation {
  /** When the API responded. */
  readonly answered: number;
  /** When the post's own page was on the edge, or removed from it. */
  readonly readable: number;
  /** When every affected file on the edge was up to date. */
  readonly live: number;
  readonly receipt: Receipt;
}

/** Performs and measures write operations in a blog; each rejects if readers do not see its effect. */
export interface Author {
  publish(): Promise<Operation>;
  /** Replaces the last tag of an old post. */
  retag(): Promise<Operation>;
  /** Deletes an old post. */
  remove(): Promise<Operation>;
  close(): void;
}

export interface AuthorOptions {
  readonly client: Client;
  readonly blog: SeededBlog;
  readonly dataDir: string;
  /** The blog's edge, if it is not in the data folder. */
  readonly edge?: WatchedEdge;
}

/** Pause before an operation, so that files of the previous one are not taken for its own. */
const REST_MS = 30;

export function createAuthor({ client, blog, dataDir, ...options }: AuthorOptions): Author {
  const edge = options.edge ?? watchFolder(join(dataDir, 'edge', 'sites', blog.slug), client);
  const places = openPlaces(dataDir, blog.id);
  // Continues the numbers of the seeded posts, so that no text is used twice.
  let number = blog.size;
  let old = 0;

  /** Old posts in a fixed order, spread over the blog without its newest tenth. */
  const somePost = () => places.postAt(0.9 * ((++old * 0.618) % 1));

  /** Paths of the list pages and feeds that can show a post. */
  const listing = (postId: string) =>
    places
      .listsOf(postId)
      .flatMap((place) => [frontPage(place.list), runPage(place), ...feedsOf(place.list)]);
  const ownPlace = (postId: string) => {
    const place = places.listsOf(postId).find(({ list }) => list === '');
    if (!place) throw new Error('a published post is in no list');
    return place;
  };

  async function measure(
    slug: string,
    write: () => Promise<Written>,
    expect: (slug: string) => readonly Expectation[],
  ): Promise<Operation> {
    await sleep(REST_MS);
    const since = Date.now();
    const sent = performance.now();
    const written = await write();
    const answered = performance.now() - sent;
    const expected = expect(slug || written.slug);
    await untilWritten(edge, expected.slice(0, 1), since);
    const readable = performance.now() - sent;
    await untilWritten(edge, expected, since);
    const live = performance.now() - sent;
    const receipt = await client.untilLive(written.rebuild_id);
    await assertSeen(edge, expected);
    return { answered, readable, live, receipt };
  }

  return {
    async publish() {
      let published = '';
      const operation = await measure(
        '',
        async () => client.create({ ...benchPost(number++), status: 'published' }),
        (slug) => {
          published = slug;
          const id = places.idOf(slug);
          const neighbours = places.besides(slug).map((beside) => `${beside}/index.html`);
          const pages = [...listing(id), sitemapOf(ownPlace(id)), ...FOR_MODELS, RECENT, ...neighbours];
          return [
            ...ownFiles(slug).map((path) => ({ path })),
            ...pages.map((path) => ({ path, has: [slug] })),
          ];
        },
      );
      // Drawing the card would slow down the next operation.
      await client.untilDrawn(published);
      return operation;
    },

    async retag() {
      const { id, slug, tags } = somePost();
      const [gone = ''] = tags.slice(-1);
      const given = allTags.find((tag) => !tags.includes(tag)) ?? '';
      const kept = tags.slice(0, -1);
      const before = places.listsOf(id);
      const shown = before.filter(({ list }) => list !== gone);
      const link = `/tags/${given}/`;
      const lists = shown.flatMap((place) => [frontPage(place.list), runPage(place)]);
      const feeds = shown.flatMap(({ list }) => feedsOf(list));
      const lost = before
        .filter(({ list }) => list === gone)
        .flatMap((place) => [frontPage(place.list), runPage(place), ...feedsOf(gone)]);
      const affected = (paths: readonly string[]) => mentioning(edge, paths, [`/${slug}/`]);
      const inLists = await affected(lists);
      const inFeeds = await affected(feeds);
      const notAnyMore = await affected(lost);
      return measure(
        slug,
        () => client.change(slug, { tags: [...kept, given] }),
        () => [
          { path: `${slug}/index.html`, has: [link] },
          { path: `${slug}.md`, has: [given] },
          ...inLists.map((path) => ({ path, has: [`/${slug}/`, link] })),
          ...[...inFeeds, sitemapOf(ownPlace(id))].map((path) => ({ path, has: [`/${slug}/`] })),
          ...places
            .listsOf(id)
            .filter(({ list }) => list === given)
            .flatMap((place) => [frontPage(given), runPage(place), ...feedsOf(given)])
            .map((path) => ({ path, has: [`/${slug}/`] })),
          ...notAnyMore.map((path) => ({ path, hasNot: [`/${slug}/`] })),
          { path: RECENT },
        ],
      );
    },

    async remove() {
      const { id, slug } = somePost();
      const neighbours = places.besides(slug).map((beside) => `${beside}/index.html`);
      const pages = [...listing(id), sitemapOf(ownPlace(id)), ...FOR_MODELS, ...neighbours];
      const affected = await mentioning(edge, pages, [`/${slug}/`, `/${slug}.md`]);
      return measure(
        slug,
        () => client.remove(slug),
        () => [
          ...ownFiles(slug).map((path) => ({ path, gone: true })),
          ...affected.map((path) => ({ path, hasNot: [`/${slug}/`, `/${slug}.md`] })),
          { path: RECENT, has: [id] },
        ],
      );
    },

    close: places.close,
  };
}
