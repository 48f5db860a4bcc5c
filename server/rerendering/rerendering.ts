import { isDeepStrictEqual } from 'node:util';
import { MarkdownRefused } from '../../generator/markdown/refused.ts';
import { MARKDOWN_VERSION } from '../../generator/markdown/version.ts';
import type { RenderedPost, RenderPost } from '../content/render-post.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { findPlacement } from '../lists/placements.ts';
import { awaitImages } from '../media/image-variants-store.ts';
import { describePicture } from '../media/pictures.ts';
import { SEARCH_DEBOUNCE_MS } from '../posts/post-writes.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import { addMilliseconds, type Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { createRenewal, type Renewal } from '../runtime/renewal.ts';
import { indexPost } from '../search/store.ts';
import { recordSearchChange } from '../search-index/store.ts';
import * as store from './store.ts';

/**
 * Renders again every post whose HTML comes from an older renderer or lacks image variants that exist now. `updatedAt`
 * does not change. A post that the renderer refuses keeps its HTML.
 */
export type Renderings = Renewal;

export interface RenderingsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly renderPost: RenderPost;
}

/** Posts per look-up. */
const BATCH = 200;

export function createRenderings({ db, clock, log, renderPost }: RenderingsDependencies): Renderings {
  /**
   * Does not notify the builder: it polls every second and then rebuilds all gathered posts at once. Each post is a
   * transaction of its own, so that clients' writes wait for at most one.
   */
  async function renewPost(id: string): Promise<boolean> {
    const found = await store.findPostSource(db, id);
    if (!found) return false;
    const { blogId, source, text } = found;
    const rendered = await renderUnlessRefused(id, found);
    return inTransaction(db, async (tx) => {
      if (!(await store.recordRendererTried(tx, id, source, MARKDOWN_VERSION))) return false;
      if (!rendered) return false;
      const cover = await renewCover(tx, id, found.accountId);
      await awaitImages(tx, id, [...new Set([...rendered.imagesWithoutVariants, ...cover.awaited])]);
      const isReplaced = await store.replaceRendering(tx, id, rendered);
      if (!isReplaced && !cover.isReplaced) return false;
      const place = await findPlacement(tx, id);
      if (!place) return true;
      await indexPost(tx, id);
      const now = clock.now();
      if (rendered.text !== text)
        await recordSearchChange(tx, { id, blogId }, addMilliseconds(now, SEARCH_DEBOUNCE_MS));
      await enqueueChange(tx, blogId, { scope: 'post', postId: id, before: place }, now, { isUpgrade: true });
      return true;
    });
  }

  async function renderUnlessRefused(
    id: string,
    { source, accountId }: { readonly source: string; readonly accountId: string },
  ): Promise<RenderedPost | null> {
    try {
      return await renderPost(source, accountId, 'background');
    } catch (error) {
      if (!(error instanceof MarkdownRefused)) throw error;
      log.warn(
        { postId: id, reason: error.message },
        'the renderer refuses a post, which keeps its older rendering',
      );
      return null;
    }
  }

  return createRenewal(
    () => outdatedPosts(db),
    ({ id }) => renewPost(id),
  );
}

/** Describes a post's cover again: its variants may have been made meanwhile. */
async function renewCover(
  tx: Db,
  postId: string,
  accountId: string,
): Promise<{ isReplaced: boolean; awaited: readonly string[] }> {
  const cover = await store.findCover(tx, postId);
  if (cover === null) return { isReplaced: false, awaited: [] };
  const { picture, awaited } = await describePicture(tx, accountId, cover.url);
  const renewed = { ...picture, alt: cover.alt };
  const isReplaced = !isDeepStrictEqual(renewed, cover);
  if (isReplaced) await store.replaceCover(tx, postId, renewed);
  return { isReplaced, awaited: awaited === null ? [] : [awaited] };
}

/** Reads in batches. Only the ids of a batch are in memory. */
async function* outdatedPosts(db: Db): AsyncGenerator<store.OutdatedPost> {
  let last: store.OutdatedPost | null = null;
  do {
    const batch: store.OutdatedPost[] = await store.findOutdatedPosts(db, MARKDOWN_VERSION, last, BATCH);
    yield* batch;
    last = batch.at(-1) ?? null;
  } while (last);
}
