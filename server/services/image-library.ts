import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { DomainError } from '../domain/errors.ts';
import { type ImageType, imageTypeOfName } from '../domain/image.ts';
import type { Log } from '../log.ts';
import { type Blog, findBlog } from '../store/blogs.ts';
import { type Db, inTransaction } from '../store/database.ts';
import * as store from '../store/images.ts';
import { countImageUses, findPublishedUses } from '../store/post-images.ts';
import { logAct } from './audit-log.ts';
import type { Caller } from './credentials.ts';
import type { Images } from './images.ts';

export interface LibraryImage extends store.Image {
  readonly type: ImageType;
  /** Number of posts that reference it. */
  readonly usedIn: number;
}

export interface LibraryPage {
  readonly images: readonly LibraryImage[];
  readonly total: number;
  /** Bytes of all images of the account. */
  readonly usedBytes: number;
  /** Bytes that the account's tier includes; null for no limit. */
  readonly includedBytes: number | null;
}

/** The published posts in which a deleted image is missing. */
export interface ImageUses {
  /** Number of published posts that reference it. */
  readonly published: number;
  /** At most 20 of these posts. */
  readonly posts: readonly { readonly blogId: string; readonly slug: string }[];
}

/** The images that an account has uploaded. */
export interface ImageLibrary {
  /** A blog's images, newest first. */
  list(caller: Caller, blog: Blog, page: { page: number; perPage: number }): Promise<LibraryPage>;
  /**
   * Deletes an image and its variants. Posts that reference it do not change. The files are off the edge when this
   * resolves, unless the edge is slow: then the scheduler removes them, even after a kill. Throws `not_found` for an
   * image of a blog that the credential cannot access.
   */
  remove(caller: Caller, imageId: string): Promise<ImageUses>;
}

export interface ImageLibraryDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly images: Pick<Images, 'sweep'>;
}

/** Posts listed in the result of a deletion. */
const NAMED_POSTS = 20;

/** Longest wait of a deletion for the edge. */
const SWEEP_WAIT_MS = 1_000;

export function createImageLibrary({ db, clock, log, images }: ImageLibraryDependencies): ImageLibrary {
  async function sweep(): Promise<void> {
    await images
      .sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'a deleted image is still on the edge'));
  }

  return {
    async list({ accountId, tier }, blog, page) {
      const found = await store.listImages(db, blog.id, page);
      const ids = found.images.map(({ id }) => id);
      const uses = await countImageUses(db, ids);
      return {
        images: found.images.map((image) => ({
          ...image,
          type: typeOf(image),
          usedIn: uses.get(image.id) ?? 0,
        })),
        total: found.total,
        usedBytes: await store.countMediaBytes(db, accountId),
        includedBytes: tier.mediaBytes === Infinity ? null : tier.mediaBytes,
      };
    },

    async remove(caller, imageId) {
      const { posts, total } = await inTransaction(db, async (tx) => {
        const image = await findOpenedImage(tx, caller, imageId);
        const uses = await findPublishedUses(tx, image.id, NAMED_POSTS);
        await store.abandonImage(tx, image, clock.now());
        await logAct(tx, { accountId: caller.accountId, blogId: image.blogId, id: image.id });
        return uses;
      });
      await Promise.race([sweep(), sleep(SWEEP_WAIT_MS, undefined, { ref: false })]);
      return { posts, published: total };
    },
  };
}

async function findOpenedImage(db: Db, caller: Caller, imageId: string): Promise<store.Image> {
  const image = await store.findImage(db, imageId);
  const blog = image && (await findBlog(db, image.blogId));
  const opened = blog?.accountId === caller.accountId && (caller.boundBlogId ?? blog.id) === blog.id;
  if (!image || !opened) throw new DomainError('not_found', 'image not found');
  return image;
}

/** The type by the file's extension, which `mediaPath` chose. */
function typeOf({ path }: store.Image): ImageType {
  const type = imageTypeOfName(path);
  if (type === null) throw new Error(`${path} has no supported image extension`);
  return type;
}
