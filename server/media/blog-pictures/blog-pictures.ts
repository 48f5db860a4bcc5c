import { type BlogIcon, type BlogSettings, shownIcon } from '../../../generator/site/blog.ts';
import type { BlogPictures } from '../../blogs/blogs.ts';
import { findAppearance, findBlog, updateSettings } from '../../blogs/store.ts';
import type { Db } from '../../database/database.ts';
import { findMentionedImages } from '../../image-processing/image.ts';
import { invalidRequest } from '../../input/parse-input.ts';
import { enqueueChange } from '../../rebuilds/store.ts';
import { nextTimestamp } from '../../runtime/clock.ts';
import { storedAddress } from '../pictures.ts';
import { mediaPathIn, referenceTo } from '../references.ts';
import { findShownImages } from '../store.ts';
import * as store from './store.ts';

/** The uploaded images that blogs use: as icon, and as picture of their author. */
export const blogPictures: BlogPictures = {
  async withReferences(tx, accountId, settings, former) {
    const { icon, author } = settings;
    return {
      ...settings,
      icon: icon && (await storedIcon(tx, accountId, icon, shownIcon(former))),
      author: author && {
        ...author,
        image: author.image && (await storedAddress(tx, accountId, author.image)),
      },
    };
  },

  async claim(tx, blogId, settings, now) {
    await store.setBlogImages(tx, blogId, imagesOf(settings));
    const iconId = settings.icon && imageIdIn(settings.icon.url);
    if (iconId && !settings.icon.isMade) await store.requestIcon(tx, iconId, now);
  },
};

/** Throws `bad_request` if it is no image of the account. */
async function storedIcon(
  db: Db,
  accountId: string,
  { url }: BlogIcon,
  former: string | null,
): Promise<BlogIcon> {
  const id = imageIdIn(url);
  const image = id === null ? undefined : (await findShownImages(db, accountId, [id])).get(id);
  if (id === null || !image) {
    const message = 'must be the address of an image of this account: upload it with POST /v1/upload';
    throw invalidRequest([{ field: 'settings.icon', message }]);
  }
  const isMade = (await store.findFavicon(db, id)) !== null;
  return { url: referenceTo(image.path), isMade, former: isMade ? null : former };
}

/** The favicon.ico of a blog with the icon at this address; null until it is made. */
export async function findFavicon(db: Db, icon: string): Promise<Uint8Array | null> {
  const id = imageIdIn(icon);
  const favicon = id && (await store.findFavicon(db, id));
  return favicon ? Buffer.from(favicon, 'base64') : null;
}

/** The files of an icon are made: the blogs that have it show it. */
export async function showIcon(tx: Db, imageId: string, now: string): Promise<void> {
  for (const blogId of await store.findBlogsWithImages(tx, [imageId])) {
    const { settings } = await findAppearance(tx, blogId);
    if (settings.icon === null || settings.icon.isMade || imageIdIn(settings.icon.url) !== imageId) continue;
    const changed = { ...settings, icon: { ...settings.icon, isMade: true, former: null } };
    await updateSettings(tx, blogId, changed);
    await store.setBlogImages(tx, blogId, imagesOf(changed));
    await enqueueChange(tx, blogId, { scope: 'blog' }, now);
  }
}

/** Removes images that are about to be deleted from the settings of blogs. Returns the ids of these blogs. */
export async function forgetPictures(
  tx: Db,
  imageIds: readonly string[],
  now: string,
): Promise<readonly string[]> {
  const blogIds = await store.findBlogsWithImages(tx, imageIds);
  const isGone = (address: string) => imageIds.includes(imageIdIn(address) ?? '');
  for (const blogId of blogIds) {
    const blog = await findBlog(tx, blogId);
    if (!blog) continue;
    const { settings } = await findAppearance(tx, blogId);
    const { icon, author } = settings;
    const remaining: BlogSettings = {
      ...settings,
      icon:
        icon &&
        (isGone(icon.url)
          ? null
          : { ...icon, former: icon.former && !isGone(icon.former) ? icon.former : null }),
      author: author?.image && isGone(author.image) ? { ...author, image: null } : author,
    };
    await updateSettings(tx, blogId, remaining, nextTimestamp(blog.updatedAt, now));
    await enqueueChange(tx, blogId, { scope: 'blog' }, now);
  }
  return blogIds;
}

const imagesOf = ({ icon, author }: BlogSettings): string[] => [
  ...new Set(
    [icon?.url, icon?.former, author?.image].flatMap((address) => (address && imageIdIn(address)) ?? []),
  ),
];

/** Id of the image that an address, or a reference, may lead to. */
function imageIdIn(address: string): string | null {
  const path = mediaPathIn(address);
  return path === null ? null : (findMentionedImages(path)[0]?.id ?? null);
}
