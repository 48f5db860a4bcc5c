import type { Edge, ReadableEdge } from '../../generator/edge/edge.ts';
import { iconFile } from '../../generator/icon-files.ts';
import { joined } from '../../generator/workers/memoised.ts';
import { type Db, inTransaction } from '../database/database.ts';
import type { IconMaker } from '../image-processing/icons/icon-maker.ts';
import type { IconFiles } from '../image-processing/icons/make-icons.ts';
import { variantPath } from '../image-processing/image-variant.ts';
import type { Variant } from '../image-processing/make-variants.ts';
import type { VariantMaker } from '../image-processing/variant-maker.ts';
import { addMilliseconds, type Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { showIcon } from './blog-pictures/blog-pictures.ts';
import * as store from './image-variants-store.ts';
import { claimOrphanedMedia, orphanMedia, recordUnclaimedMedia } from './store.ts';

/**
 * Makes variants of images in the background, one image at a time, and the files of icons. They reach the edge as
 * images do (see images.ts). Then posts that were rendered without them are rendered again, and blogs show their icons.
 */
export interface ImageVariants {
  /**
   * Makes all variants that are due, or joins the run in progress. Icons come first, in turns in which no variants are made, and accounts take
   * turns. A failed
   * image is retried after each of `RETRY_DELAYS_MS`, then given up; one that a kill interrupted is due at the next
   * start. An icon that cannot be made keeps no variants from being made, nor the other way round. It is tried again
   * after an upgrade. Resolves to the number of images that got variants.
   */
  make(): Promise<number>;
  /** Aborts the run in progress and resolves when it has ended. The next start makes the aborted image again. */
  stop(): Promise<void>;
}

export interface ImageVariantsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly openEdge: () => Promise<ReadableEdge>;
  readonly maker: VariantMaker;
  readonly iconMaker: IconMaker;
}

const MINUTE_MS = 60 * 1000;

/** Wait after each attempt that failed, from its start. */
const RETRY_DELAYS_MS = [10, 2 * 60, 8 * 60, 24 * 60].map((minutes) => minutes * MINUTE_MS);

export function createImageVariants(dependencies: ImageVariantsDependencies): ImageVariants {
  const { db, clock, log, openEdge, maker, iconMaker } = dependencies;
  const stopping = new AbortController();

  const make = joined(async () => {
    let made = 0;
    for (let image = await nextImage(); image; image = await nextImage()) {
      const retryDelay = RETRY_DELAYS_MS[image.attempts];
      if (retryDelay === undefined) await giveUp(image);
      else if (await attempt(image, retryDelay)) made += 1;
    }
    return made;
  });

  /** Images whose icon was made in a turn of its own: the one for their variants does not make it again. */
  const madeIcons = new Set<string>();
  const nextDue = createTurns(db, clock);
  const nextImage = async () => (stopping.signal.aborted ? null : nextDue());

  /** Counts the attempt before it starts, so that an image that crashes the server does not do so forever. */
  async function attempt(image: store.ImageWithoutVariants, retryDelay: number): Promise<boolean> {
    const startedAt = clock.now();
    await store.countVariantAttempt(db, image);
    try {
      return await makeVariantsOf(image);
    } catch (error) {
      if (stopping.signal.aborted) {
        await store.uncountVariantAttempt(db, image);
        return false;
      }
      await store.recordFailedVariants(db, image, addMilliseconds(startedAt, retryDelay));
      log.warn({ err: error, imageId: image.id }, 'could not make variants of an image');
      return false;
    }
  }

  async function makeVariantsOf(image: store.ImageWithoutVariants): Promise<boolean> {
    const edge = await openEdge();
    const bytes = await edge.read(image.path);
    // First: a reader sees whether a blog has its icon.
    const makesIcon = image.isIcon && !madeIcons.delete(image.id);
    const icons = await outcomeOf(makesIcon ? iconMaker : null, bytes, stopping.signal);
    const makesVariants = image.needsVariants && !image.isAwaitedIcon;
    const variants = await outcomeOf(makesVariants ? maker : null, bytes, stopping.signal);
    const isLater = image.needsVariants && !makesVariants;
    const left = { icons: icons.error !== null, variants: isLater || variants.error !== null };
    const isStored = await storeVariants({ db, clock, edge }, image, { variants, icons }, left);
    // An icon that has failed is tried again with the variants.
    if (isLater) {
      if (icons.error !== null) return false;
      madeIcons.add(image.id);
      await store.uncountVariantAttempt(db, image);
      return false;
    }
    const errors = [icons, variants].flatMap(({ error }) => error ?? []);
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
    return isStored;
  }

  async function giveUp({ id, isIcon }: store.ImageWithoutVariants): Promise<void> {
    await inTransaction(db, (tx) => store.settleVariants(tx, id, [], { isIcon }));
    log.error({ imageId: id }, 'giving up on the variants or icon of an image: all attempts failed');
  }

  return {
    make,
    async stop() {
      stopping.abort();
      await make().catch(() => {});
    },
  };
}

/** Returns a function that finds the image whose turn it is; null if none is due. */
function createTurns(db: Db, clock: Clock): () => Promise<store.ImageWithoutVariants | null> {
  /** Accounts that had an image made since the last time that none was due, the latest last. */
  const served = new Set<string>();
  return async () => {
    const due = await store.findAccountsDueForVariants(db, clock.now());
    const next = nextInTurn(due, [...served]);
    if (next === null) {
      served.clear();
      return null;
    }
    served.delete(next.accountId);
    served.add(next.accountId);
    return store.findImageDueForVariants(db, next.accountId, clock.now());
  };
}

/**
 * Whose image is next: that of an account that waits for an icon, if there is one, and else of the account that was
 * served longest ago. `served`: accounts in the order in which they were served.
 */
function nextInTurn(due: readonly store.AccountDue[], served: readonly string[]): store.AccountDue | null {
  const icons = due.filter(({ awaitsIcon }) => awaitsIcon);
  const waiting = icons.length > 0 ? icons : due;
  const turn = ({ accountId }: store.AccountDue) => served.indexOf(accountId);
  return waiting.toSorted((one, other) => turn(one) - turn(other))[0] ?? null;
}

/** What was made, or why it failed; both are null if nothing was to be made. */
interface Outcome<Made> {
  readonly made: Made | null;
  readonly error: unknown;
}

/** Throws only if the signal aborts: one part that fails must not prevent the other. Without a maker, nothing is made. */
async function outcomeOf<Made>(
  maker: { make(image: Uint8Array, signal: AbortSignal): Promise<Made> } | null,
  image: Uint8Array,
  signal: AbortSignal,
): Promise<Outcome<Made>> {
  try {
    return { made: maker && (await maker.make(image, signal)), error: null };
  } catch (error) {
    if (signal.aborted) throw error;
    return { made: null, error };
  }
}

interface Outcomes {
  readonly variants: Outcome<readonly Variant[]>;
  readonly icons: Outcome<IconFiles>;
}

interface WrittenFile {
  readonly bytes: Uint8Array;
  readonly row: store.VariantFile;
}

const filesAt = (path: string, { variants, icons }: Outcomes): WrittenFile[] => [
  ...(variants.made ?? []).map(({ bytes, format, width }) => ({
    bytes,
    row: { format, width, path: variantPath(path, format, width) },
  })),
  ...(icons.made?.squares ?? []).map(({ bytes, width }) => ({
    bytes,
    row: { format: 'png', width, path: iconFile(path, width) } as const,
  })),
];

/** Writes the variants of an image to the edge and records them. False if there are none, or no image any more. */
async function storeVariants(
  { db, clock, edge }: { readonly db: Db; readonly clock: Clock; readonly edge: Edge },
  { id, path, isIcon }: store.ImageWithoutVariants,
  outcomes: Outcomes,
  left: NonNullable<store.AttemptEnd['left']>,
): Promise<boolean> {
  const files = filesAt(path, outcomes);
  const rows = files.map(({ row }) => row);
  const favicon = outcomes.icons.made?.favicon.toString('base64') ?? null;
  // Files that are made again already belong to the image and must never be removed as orphans.
  const known = await store.findVariantPaths(db, id);
  const paths = rows.map((row) => row.path).filter((path) => !known.has(path));

  const now = clock.now();
  if (!(await recordUnclaimedMedia(db, paths, now)))
    throw new Error('files of an earlier attempt must be removed first');
  for (const { row, bytes } of files) await edge.write(row.path, bytes);
  return inTransaction(db, async (tx) => {
    // The image, or its whole blog, may have been deleted since.
    if (!(await store.settleVariants(tx, id, rows, { isIcon, favicon, left }))) {
      await orphanMedia(tx, [...known, ...paths], now);
      return false;
    }
    if (!(await claimOrphanedMedia(tx, paths)))
      throw new Error(`variants of ${path} were removed before they were claimed`);
    if (favicon !== null) await showIcon(tx, id, now);
    return rows.length > 0;
  });
}
