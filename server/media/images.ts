import { v7 as uuid } from 'uuid';
import type { Edge } from '../../generator/edge/edge.ts';
import type { Caller } from '../access/caller.ts';
import type { Blog } from '../blogs/blog.ts';
import { findBlog } from '../blogs/store.ts';
import { type Db, inTransaction } from '../database/database.ts';
import {
  detectImageType,
  IMAGE_MAX_BYTES,
  IMAGE_TYPE_LIST,
  type ImageType,
  mediaPath,
} from '../image-processing/image.ts';
import type { ImageCleaner } from '../image-processing/image-cleaner.ts';
import { ImageRefused } from '../image-processing/image-refused.ts';
import { logAction } from '../journal/audit-log.ts';
import { recordResult } from '../journal/idempotency.ts';
import type { Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import { createRate } from '../runtime/rate.ts';
import { assertMayStoreImage } from '../tiers/quota.ts';
import type { Image } from './image.ts';
import * as store from './store.ts';

/** Limit "Uploads" of the interface. */
const UPLOADS_PER_MINUTE = 10;

export interface Upload {
  readonly bytes: Uint8Array;
  /** The declared type. */
  readonly type: ImageType;
  /** The client's name for the file. */
  readonly filename?: string | null;
}

/**
 * The only copy of an image is on the edge. Its path is recorded as orphaned before the file is written, and claimed
 * by the image's row once the file is safe. So a kill at any point leaves no unknown file.
 */
export interface Images {
  /**
   * Stores an image without its metadata. Throws `bad_request` for one that is too large, is not of its declared type
   * or cannot be decoded, `forbidden` if it exceeds the tier's storage, and `rate_limit_exceeded` over 10 uploads a
   * minute. An upload that fails the checks of size and type does not count.
   */
  upload(caller: Caller, blog: Blog, upload: Upload): Promise<Image>;
  /** Removes orphaned media from the edge. Tries every file, then throws the first failure. */
  removeOrphans(): Promise<void>;
}

export interface ImagesDependencies {
  readonly db: Db;
  readonly clock: Clock;
  /**
   * Opens the edge on first use. Opening removes unfinished files there, and not every process with these services is
   * the one that stores images.
   */
  readonly openEdge: () => Promise<Edge>;
  readonly cleaner: ImageCleaner;
  readonly upgradeUrl: string;
  /** Called after an image was stored. */
  readonly onStored: () => void;
}

export function createImages(dependencies: ImagesDependencies): Images {
  const { db, clock, openEdge, cleaner, upgradeUrl, onStored } = dependencies;
  const uploads = createRate({
    times: UPLOADS_PER_MINUTE,
    seconds: 60,
    refusal: `an account may upload ${UPLOADS_PER_MINUTE} images a minute`,
  });

  async function assertStorageLeft(
    connection: Db,
    { tier, accountId }: Caller,
    bytes: number,
  ): Promise<void> {
    if (tier.mediaBytes === Infinity) return;
    assertMayStoreImage(tier, await store.countMediaBytes(connection, accountId), bytes, upgradeUrl);
  }

  async function persist(caller: Caller, image: Image, bytes: Uint8Array): Promise<void> {
    const { path, createdAt } = image;
    await store.recordUnclaimedMedia(db, [path], createdAt);
    await (await openEdge()).write(path, bytes);
    try {
      await inTransaction(db, (tx) => claimImage(tx, caller, image));
    } catch (error) {
      if (error instanceof DomainError) await store.orphanMedia(db, [path], clock.now());
      throw error;
    }
  }

  /** Checks again in the transaction: the blog may be deleted, and other uploads may have used the storage. */
  async function claimImage(tx: Db, caller: Caller, image: Image): Promise<void> {
    if (!(await findBlog(tx, image.blogId))) throw new DomainError('not_found', 'blog not found');
    await assertStorageLeft(tx, caller, image.bytes);
    if (!(await store.claimOrphanedMedia(tx, [image.path])))
      throw new Error(`${image.path} was removed before it was claimed`);
    await store.insertImage(tx, image);
    await recordResult(tx, image);
    await logAction(tx, { accountId: caller.accountId, blogId: image.blogId, id: image.id });
  }

  return {
    async upload(caller, blog, { bytes, type, filename = null }) {
      assertSizeAndType(bytes, type);
      await assertStorageLeft(db, caller, 1);
      await uploads.take(caller.accountId);
      const clean = await cleaner.clean(caller.accountId, bytes).catch(throwAsBadRequest);
      await assertStorageLeft(db, caller, clean.bytes.length);

      const id = uuid();
      const image = {
        id,
        blogId: blog.id,
        path: mediaPath(blog.id, id, type),
        filename,
        bytes: clean.bytes.length,
        width: clean.width,
        height: clean.height,
        createdAt: clock.now(),
      };
      await persist(caller, image, clean.bytes);
      onStored();
      return image;
    },

    removeOrphans: () => removeOrphans(dependencies),
  };
}

/** Throws `bad_request` for a wrong size or type, without decoding the image. */
function assertSizeAndType(bytes: Uint8Array, type: ImageType): void {
  if (bytes.length === 0) throw imageError('is empty');
  if (bytes.length > IMAGE_MAX_BYTES) throw imageError(`is larger than ${IMAGE_MAX_BYTES} bytes (5 MB)`);
  if (detectImageType(bytes) !== type)
    throw imageError(`is not ${type}, although its declared type says so: it must be ${IMAGE_TYPE_LIST}`);
}

function throwAsBadRequest(error: unknown): never {
  throw error instanceof ImageRefused ? imageError(error.message) : error;
}

const imageError = (reason: string) => new DomainError('bad_request', `the image ${reason}`);

async function removeOrphans({ db, clock, openEdge }: ImagesDependencies): Promise<void> {
  const paths = await store.findDueOrphanedMedia(db, clock.now());
  if (paths.length === 0) return;
  const edge = await openEdge();
  const failures: unknown[] = [];
  const removed: string[] = [];
  for (const path of paths) {
    await edge.remove([path]).then(
      () => removed.push(path),
      (error: unknown) => failures.push(error),
    );
  }
  // Media is cached without expiry, so its copies must be invalidated.
  await edge.invalidate(removed);
  for (const path of removed) await store.removeOrphanedMedia(db, path);
  if (failures.length > 0) throw failures[0];
}
