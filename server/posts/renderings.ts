import { MarkdownRefused } from '../../generator/markdown/refused.ts';
import { MARKDOWN_VERSION } from '../../generator/markdown/version.ts';
import type { RenderedPost, RenderPost } from '../content/render-post.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { findPlacement } from '../lists/placements.ts';
import { awaitImages } from '../media/image-variants-store.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import { type Clock, later } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { indexPost } from '../search/store.ts';
import { noteChange } from '../search-index/store.ts';
import { GATHER_MS } from './post-writes.ts';
import * as store from './renderings-store.ts';

/** Keeps what was rendered from posts in step with the renderer, and with the images that they show. */
export interface Renderings {
  /**
   * Renders every post anew that an older version of the renderer has rendered, or this one with less knowledge, one after the other, behind all that
   * clients wait for. To clients and readers a post is not changed by it: `updatedAt` stays. One that is refused
   * keeps the rendering that it has. Tries all of them before it throws what went wrong with one. Returns how many
   * read differently now.
   */
  renew(): Promise<number>;
  /** Lets a renewal end after the post that it is at, and resolves when it has. The next start goes on with it. */
  stop(): Promise<void>;
}

export interface RenderingsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly renderPost: RenderPost;
}

/** Posts that are looked up at once: only their ids are held. */
const BATCH = 200;

export function createRenderings({ db, clock, log, renderPost }: RenderingsDependencies): Renderings {
  let underWay: Promise<unknown> = Promise.resolve();
  let stopped = false;

  async function renewAll(): Promise<number> {
    const failures: unknown[] = [];
    let renewed = 0;
    for await (const { id } of outdatedPosts(db)) {
      if (stopped) break;
      try {
        if (await renewPost(id)) renewed += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return renewed;
  }

  /**
   * The builder is not told: it looks every second by itself, and then presses all at once that have gathered. A
   * post is a transaction of its own, so that no client's waits for more than one.
   */
  async function renewPost(id: string): Promise<boolean> {
    const found = await store.findSource(db, id);
    if (!found) return false;
    const { blogId, source, text } = found;
    const rendered = await renderUnlessRefused(id, source);
    return inTransaction(db, async (tx) => {
      if (!(await store.markTried(tx, id, source, MARKDOWN_VERSION))) return false;
      if (!rendered) return false;
      await awaitImages(tx, id, rendered.awaitedImages);
      if (!(await store.replaceRendering(tx, id, rendered))) return false;
      const place = await findPlacement(tx, id);
      if (!place) return true;
      await indexPost(tx, id);
      const now = clock.now();
      if (rendered.text !== text) await noteChange(tx, { id, blogId }, later(now, GATHER_MS));
      await enqueueChange(tx, blogId, { scope: 'post', postId: id, before: place }, now, { isUpgrade: true });
      return true;
    });
  }

  async function renderUnlessRefused(id: string, source: string): Promise<RenderedPost | null> {
    try {
      return await renderPost(source, 'background');
    } catch (error) {
      if (!(error instanceof MarkdownRefused)) throw error;
      log.warn({ postId: id, reason: error.message }, 'a post keeps what an older renderer has made of it');
      return null;
    }
  }

  return {
    async renew() {
      const renewal = underWay.then(renewAll);
      underWay = renewal.catch(() => {});
      return renewal;
    },
    async stop() {
      stopped = true;
      await underWay;
    },
  };
}

/** In batches: what was renewed is not found again, and what failed is left behind until the next renewal. */
async function* outdatedPosts(db: Db): AsyncGenerator<store.OutdatedPost> {
  let last: store.OutdatedPost | null = null;
  do {
    const batch: store.OutdatedPost[] = await store.findOutdatedPosts(db, MARKDOWN_VERSION, last, BATCH);
    yield* batch;
    last = batch.at(-1) ?? null;
  } while (last);
}
