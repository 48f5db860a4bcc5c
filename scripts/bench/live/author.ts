import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchPost } from '../seed/bench-post.ts';
import type { SeededBlog } from '../seed/seeded.ts';
import { tags as allTags } from '../seed/words.ts';
import type { Client, Receipt, WriteResponse } from '../support/client.ts';
import { createExpectations } from './expectations.ts';
import { openPostPositions } from './post-positions.ts';
import { assertServed, type Expectation, untilWritten, type WatchedEdge, watchFolder } from './watch.ts';

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
  const expectations = createExpectations(edge, positions);
  // Continues the numbers of the seeded posts, so that no text is used twice.
  let number = blog.size;
  let old = 0;

  /** Old posts in a fixed order, spread over the blog without its newest tenth. */
  const nextOldPost = () => positions.postAt(0.9 * ((++old * 0.618) % 1));

  async function measure(
    write: () => Promise<WriteResponse>,
    expect: (written: WriteResponse) => readonly Expectation[],
  ): Promise<Operation> {
    await sleep(PAUSE_MS);
    const since = Date.now();
    const sent = performance.now();
    const written = await write();
    const respondedAt = performance.now() - sent;
    const expected = expect(written);
    await untilWritten(edge, expected.slice(0, 1), since);
    const ownPageLiveAt = performance.now() - sent;
    await untilWritten(edge, expected, since);
    const allLiveAt = performance.now() - sent;
    const receipt = await client.untilLive(written.rebuild_id);
    await assertServed(edge, expected);
    return { respondedAt, ownPageLiveAt, allLiveAt, receipt };
  }

  return {
    async publish() {
      let published = '';
      const operation = await measure(
        () => client.create({ ...benchPost(number++), status: 'published' }),
        ({ slug }) => {
          published = slug;
          return expectations.published(slug);
        },
      );
      // Drawing the card would slow down the next operation.
      await client.untilCardDrawn(published);
      return operation;
    },

    async retag() {
      const post = nextOldPost();
      const kept = post.tags.slice(0, -1);
      const [removed = ''] = post.tags.slice(-1);
      const added = allTags.find((tag) => !post.tags.includes(tag)) ?? '';
      const expected = await expectations.retagged(post, { removed, added });
      return measure(() => client.change(post.slug, { tags: [...kept, added] }), expected);
    },

    async remove() {
      const post = nextOldPost();
      const expected = await expectations.removed(post);
      return measure(
        () => client.remove(post.slug),
        () => expected,
      );
    },

    close: positions.close,
  };
}
