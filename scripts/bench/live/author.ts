import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchPost } from '../seed/bench-post.ts';
import type { SeededBlog } from '../seed/seeded.ts';
import { tags as allTags } from '../seed/words.ts';
import type { Client, Receipt, WriteResponse } from '../support/client.ts';
import { feedsOf, frontPage, LLMS_FILES, listPage, ownFiles, RECENT_INDEX, sitemapOf } from './pages.ts';
import { openPostPositions } from './post-positions.ts';
import {
  assertServed,
  type Expectation,
  filesContaining,
  untilWritten,
  type WatchedEdge,
  watchFolder,
} from './watch.ts';

/** Measurements of one operation, in milliseconds since its request was sent, with the receipt of its rebuild. */
export interface Operation {
  /** When the API responded. */
  readonly respondedAt: number;
  /** When the post's own page was on the edge, or removed from it. */
  readonly ownPageLiveAt: number;
  /** When every affected file on the edge was up to date. */
  readonly allLiveAt: number;
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
const PAUSE_MS = 30;

export function createAuthor({ client, blog, dataDir, ...options }: AuthorOptions): Author {
  const edge = options.edge ?? watchFolder(join(dataDir, 'edge', 'sites', blog.slug), client);
  const positions = openPostPositions(dataDir, blog.id);
  // Continues the numbers of the seeded posts, so that no text is used twice.
  let number = blog.size;
  let old = 0;

  /** Old posts in a fixed order, spread over the blog without its newest tenth. */
  const nextOldPost = () => positions.postAt(0.9 * ((++old * 0.618) % 1));

  /** Paths of the list pages and feeds that can show a post. */
  const listFilesOf = (postId: string) =>
    positions
      .listsOf(postId)
      .flatMap((place) => [frontPage(place.list), listPage(place), ...feedsOf(place.list)]);
  const mainListPosition = (postId: string) => {
    const place = positions.listsOf(postId).find(({ list }) => list === '');
    if (!place) throw new Error('a published post is in no list');
    return place;
  };

  async function measure(
    slug: string,
    write: () => Promise<WriteResponse>,
    expect: (slug: string) => readonly Expectation[],
  ): Promise<Operation> {
    await sleep(PAUSE_MS);
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
    await assertServed(edge, expected);
    return { respondedAt: answered, ownPageLiveAt: readable, allLiveAt: live, receipt };
  }

  return {
    async publish() {
      let published = '';
      const operation = await measure(
        '',
        async () => client.create({ ...benchPost(number++), status: 'published' }),
        (slug) => {
          published = slug;
          const id = positions.idOf(slug);
          const neighbours = positions.neighboursOf(slug).map((beside) => `${beside}/index.html`);
          const pages = [
            ...listFilesOf(id),
            sitemapOf(mainListPosition(id)),
            ...LLMS_FILES,
            RECENT_INDEX,
            ...neighbours,
          ];
          return [
            ...ownFiles(slug).map((path) => ({ path })),
            ...pages.map((path) => ({ path, has: [slug] })),
          ];
        },
      );
      // Drawing the card would slow down the next operation.
      await client.untilCardDrawn(published);
      return operation;
    },

    async retag() {
      const { id, slug, tags } = nextOldPost();
      const [removedTag = ''] = tags.slice(-1);
      const newTag = allTags.find((tag) => !tags.includes(tag)) ?? '';
      const kept = tags.slice(0, -1);
      const before = positions.listsOf(id);
      const shown = before.filter(({ list }) => list !== removedTag);
      const link = `/tags/${newTag}/`;
      const lists = shown.flatMap((place) => [frontPage(place.list), listPage(place)]);
      const feeds = shown.flatMap(({ list }) => feedsOf(list));
      const lost = before
        .filter(({ list }) => list === removedTag)
        .flatMap((place) => [frontPage(place.list), listPage(place), ...feedsOf(removedTag)]);
      const affected = (paths: readonly string[]) => filesContaining(edge, paths, [`/${slug}/`]);
      const inLists = await affected(lists);
      const inFeeds = await affected(feeds);
      const noLongerListed = await affected(lost);
      return measure(
        slug,
        () => client.change(slug, { tags: [...kept, newTag] }),
        () => [
          { path: `${slug}/index.html`, contains: [link] },
          { path: `${slug}.md`, contains: [newTag] },
          ...inLists.map((path) => ({ path, has: [`/${slug}/`, link] })),
          ...[...inFeeds, sitemapOf(mainListPosition(id))].map((path) => ({ path, has: [`/${slug}/`] })),
          ...positions
            .listsOf(id)
            .filter(({ list }) => list === newTag)
            .flatMap((place) => [frontPage(newTag), listPage(place), ...feedsOf(newTag)])
            .map((path) => ({ path, has: [`/${slug}/`] })),
          ...noLongerListed.map((path) => ({ path, hasNot: [`/${slug}/`] })),
          { path: RECENT_INDEX },
        ],
      );
    },

    async remove() {
      const { id, slug } = nextOldPost();
      const neighbours = positions.neighboursOf(slug).map((beside) => `${beside}/index.html`);
      const pages = [...listFilesOf(id), sitemapOf(mainListPosition(id)), ...LLMS_FILES, ...neighbours];
      const affected = await filesContaining(edge, pages, [`/${slug}/`, `/${slug}.md`]);
      return measure(
        slug,
        () => client.remove(slug),
        () => [
          ...ownFiles(slug).map((path) => ({ path, gone: true })),
          ...affected.map((path) => ({ path, hasNot: [`/${slug}/`, `/${slug}.md`] })),
          { path: RECENT_INDEX, contains: [id] },
        ],
      );
    },

    close: positions.close,
  };
}
