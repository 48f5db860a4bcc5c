import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, canAccess } from '../access/caller.ts';
import type { Blog } from '../blogs/blog.ts';
import { findBlog } from '../blogs/store.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { type ImageType, imageTypeFromName } from '../image-processing/image.ts';
import { logAction } from '../journal/audit-log.ts';
import type { Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { forgetPictures } from './blog-pictures/blog-pictures.ts';
import { countBlogUses } from './blog-pictures/store.ts';
import type { Image, ImageUsage, LibraryPage } from './image.ts';
import type { Images } from './images.ts';
import { countImageUses, findPublishedUses } from './post-images.ts';
import * as store from './store.ts';

/** The images that an account has uploaded. */
export interface ImageLibrary {
  /** A blog's images, newest first. */
  list(caller: Caller, blog: Blog, page: { page: number; perPage: number }): Promise<LibraryPage>;
  /**
   * Deletes an image and its variants. Posts that reference it do not change; blogs lose their icon, or the picture of
   * their author. The files are off the edge when this
   * resolves, unless the edge is slow: then the scheduler removes them, even after a kill. Throws `not_found` for an
   * image of a blog that the credential cannot access.
   */
  remove(caller: Caller, imageId: string): Promise<ImageUsage>;
}

export interface ImageLibraryDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly images: Pick<Images, 'removeOrphans'>;
}

/** Posts listed in the result of a deletion. */
const MAX_LISTED_POSTS = 20;

/** Longest wait of a deletion for the edge. */
const ORPHAN_REMOVAL_WAIT_MS = 1_000;

export function createImageLibrary({ db, clock, log, images }: ImageLibraryDependencies): ImageLibrary {
  async function removeOrphans(): Promise<void> {
    await images
      .removeOrphans()
      .catch((error: unknown) => log.warn({ err: error }, 'a deleted image is still on the edge'));
  }

  return {
    async list({ accountId, tier }, blog, page) {
      const found = await store.listImages(db, blog.id, page);
      const ids = found.images.map(({ id }) => id);
      const uses = await countImageUses(db, ids);
      const blogUses = await countBlogUses(db, ids);
      return {
        images: found.images.map((image) => ({
          ...image,
          type: imageTypeOfPath(image),
          usedIn: uses.get(image.id) ?? 0,
          usedByBlogs: blogUses.get(image.id) ?? 0,
        })),
        total: found.total,
        usedBytes: await store.countMediaBytes(db, accountId),
        includedBytes: tier.mediaBytes === Infinity ? null : tier.mediaBytes,
      };
    },

    async remove(caller, imageId) {
      const { posts, total, blogIds } = await inTransaction(db, async (tx) => {
        const image = await findAccessibleImage(tx, caller, imageId);
        const uses = await findPublishedUses(tx, image.id, MAX_LISTED_POSTS);
        const blogIds = await forgetPictures(tx, [image.id], clock.now());
        await store.orphanImage(tx, image, clock.now());
        await logAction(tx, { accountId: caller.accountId, blogId: image.blogId, id: image.id });
        return { ...uses, blogIds };
      });
      await Promise.race([removeOrphans(), sleep(ORPHAN_REMOVAL_WAIT_MS, undefined, { ref: false })]);
      return { posts, published: total, blogIds };
    },
  };
}

async function findAccessibleImage(db: Db, caller: Caller, imageId: string): Promise<Image> {
  const image = await store.findImage(db, imageId);
  const blog = image && (await findBlog(db, image.blogId));
  if (!image || !blog || !canAccess(caller, blog)) throw new DomainError('not_found', 'image not found');
  return image;
}

/** The type by the file's extension, which `mediaPath` chose. */
function imageTypeOfPath({ path }: Image): ImageType {
  const type = imageTypeFromName(path);
  if (type === null) throw new Error(`${path} has no supported image extension`);
  return type;
}
