import type { ReadableEdge } from '../../generator/edge/edge.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { variantPath } from '../image-processing/image-variant.ts';
import type { VariantMaker } from '../image-processing/variant-maker.ts';
import { type Clock, later } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import * as store from './image-variants-store.ts';
import { addStrays, claimStrays } from './store.ts';

/**
 * Makes variants of images in the background, one image after the other. Their files come to lie on the edge as the
 * images themselves do (see images.ts); then the posts that were rendered without them are rendered anew.
 */
export interface ImageVariants {
  /**
   * Makes what is due, or joins in where that is going on. An image that fails is tried again later, and let be after
   * `WAITS_MS` have passed. Returns of how many images there are variants now.
   */
  make(): Promise<number>;
  /** Ends what is under way, to be begun anew by the next start, and resolves when nothing is left of it. */
  stop(): Promise<void>;
}

export interface ImageVariantsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly openEdge: () => Promise<ReadableEdge>;
  readonly maker: VariantMaker;
}

const MINUTE_MS = 60 * 1000;

/** What is waited after each attempt, counted from its beginning: longer than one may take. */
const WAITS_MS = [10, 2 * 60, 8 * 60, 24 * 60].map((minutes) => minutes * MINUTE_MS);

/** Within this time files are either claimed or left over from a death. */
const CLAIM_MS = 60 * MINUTE_MS;

export function createImageVariants(dependencies: ImageVariantsDependencies): ImageVariants {
  const { db, clock, log, openEdge, maker } = dependencies;
  const stopping = new AbortController();
  let underWay: Promise<number> | null = null;

  async function makeAll(): Promise<number> {
    let made = 0;
    for (let image = await nextImage(); image; image = await nextImage()) {
      const wait = WAITS_MS[image.attempts];
      if (wait === undefined) await giveUp(image);
      else if (await attempt(image, wait)) made += 1;
    }
    return made;
  }

  const nextImage = async () => (stopping.signal.aborted ? null : store.findDueImage(db, clock.now()));

  /** The attempt is noted first: an image that takes the server with it must not do so for ever. */
  async function attempt(image: store.DueImage, wait: number): Promise<boolean> {
    const begun = clock.now();
    await store.noteAttempts(db, image.id, image.attempts + 1, later(begun, wait));
    try {
      return await makeOf(image);
    } catch (error) {
      if (stopping.signal.aborted) await store.noteAttempts(db, image.id, image.attempts, begun);
      else log.warn({ err: error, imageId: image.id }, 'no variants of an image could be made');
      return false;
    }
  }

  async function makeOf({ id, path }: store.DueImage): Promise<boolean> {
    const edge = await openEdge();
    const variants = await maker.make(await edge.read(path), stopping.signal);
    const files = variants.map(({ bytes, ...variant }) => {
      return { bytes, row: { ...variant, path: variantPath(path, variant.format, variant.width) } };
    });
    const rows = files.map(({ row }) => row);
    // Files that are made again are the image's already, and must never be swept.
    const known = await store.findVariantPaths(db, id);
    const paths = rows.map((row) => row.path).filter((path) => !known.has(path));

    const now = clock.now();
    const times = { dueAt: later(now, CLAIM_MS), safeUntil: later(now, MINUTE_MS) };
    if (!(await addStrays(db, paths, times))) throw new Error('files of an earlier attempt are to go first');
    for (const { row, bytes } of files) await edge.write(row.path, bytes);
    return inTransaction(db, async (tx) => {
      // The image may have been deleted meanwhile, alone or with its blog.
      if (!(await store.settleVariants(tx, id, rows))) {
        await addStrays(tx, [...known, ...paths], { dueAt: now, safeUntil: now });
        return false;
      }
      if (!(await claimStrays(tx, paths))) throw new Error(`variants of ${path} were swept away unclaimed`);
      return rows.length > 0;
    });
  }

  async function giveUp({ id }: store.DueImage): Promise<void> {
    await inTransaction(db, (tx) => store.settleVariants(tx, id, []));
    log.error({ imageId: id }, 'an image stays without variants: all attempts have failed');
  }

  return {
    make() {
      underWay ??= makeAll().finally(() => {
        underWay = null;
      });
      return underWay;
    },
    async stop() {
      stopping.abort();
      await underWay?.catch(() => {});
    },
  };
}
