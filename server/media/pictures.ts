import type { HostedImage } from '../../generator/markdown/extensions/hosted-images.ts';
import type { ImageSource, Picture } from '../../generator/site/picture.ts';
import type { SitePostSummary } from '../../generator/site/post.ts';
import { isReference, resolveAddress } from '../addresses/image-addresses.ts';
import type { Db } from '../database/database.ts';
import { findMentionedImages } from '../image-processing/image.ts';
import { type VariantFormat, variantFormats, variantPath } from '../image-processing/image-variant.ts';
import { belowMediaFolder, mediaPathIn, referenceTo } from './references.ts';
import { findShownImages, type ShownImage } from './store.ts';

/** An uploaded image that an address names. */
export interface NamedImage extends HostedImage {
  readonly id: string;
  /** Whether variants are still to be made. What is stored of the image is outdated when they are. */
  readonly hasPendingVariants: boolean;
}

/**
 * The uploaded images of an account, and their variants, among those that a text mentions, by path below the media
 * folder (`/<blog id>/<file>`). Takes two queries, however many there are. The address of each is its reference.
 */
export async function findNamedImages(
  db: Db,
  accountId: string,
  text: string,
): Promise<ReadonlyMap<string, NamedImage>> {
  const mentions = findMentionedImages(text);
  const ids = [...new Set(mentions.map(({ id }) => id))];
  const shown = await findShownImages(db, accountId, ids);
  const named = new Map<string, NamedImage>();
  for (const { path, id } of mentions) {
    const image = shown.get(id);
    const found = image && namedImage(id, image, path);
    if (found) named.set(path, found);
  }
  return named;
}

/**
 * The picture at an address (or reference), to store with a post: of an image of the account, on whatever host the
 * address names it, with its size and variants; of any other picture, the address alone. It has references in place of
 * addresses, and depends on no other row, so showing it needs no query. `awaited` is the id of the image if its
 * variants are still to be made: give it to `awaitImages`, and describe the picture again when its post is rendered
 * again.
 */
export async function describePicture(
  db: Db,
  accountId: string,
  address: string,
): Promise<{ picture: Picture; awaited: string | null }> {
  const path = mediaPathIn(address);
  const image = path === null ? undefined : (await findNamedImages(db, accountId, path)).get(path);
  if (!image) return { picture: { url: address, width: null, height: null, sources: [] }, awaited: null };
  const { address: url, width, height, sources, hasPendingVariants, id } = image;
  return { picture: { url, width, height, sources }, awaited: hasPendingVariants ? id : null };
}

/** The reference to an image of the account that an address names, on whatever host; any other address unchanged. */
export const storedAddress = async (db: Db, accountId: string, address: string): Promise<string> =>
  isReference(address) ? address : (await describePicture(db, accountId, address)).picture.url;

/** A stored picture with addresses of today. */
export const resolvePicture = <Stored extends Picture>(picture: Stored, mediaUrl: string): Stored => ({
  ...picture,
  url: resolveAddress(picture.url, mediaUrl),
  sources: picture.sources.map(({ type, files }) => ({
    type,
    files: files.map(({ address, width }) => ({ address: resolveAddress(address, mediaUrl), width })),
  })),
});

/** The pictures beside a post's text with addresses of today. */
export const resolvePictures = (
  { ogImage, author, coverImage }: PostPictures,
  mediaUrl: string,
): PostPictures => ({
  ogImage: ogImage && resolveAddress(ogImage, mediaUrl),
  author: author && { ...author, image: author.image && resolveAddress(author.image, mediaUrl) },
  coverImage: coverImage && resolvePicture(coverImage, mediaUrl),
});

type PostPictures = Pick<SitePostSummary, 'ogImage' | 'author' | 'coverImage'>;

/** The source of a picture in a format. Variants stand beside their image. */
const sourceOf = (
  imageAddress: string,
  { format, widths }: { readonly format: VariantFormat; readonly widths: readonly number[] },
): ImageSource => ({
  type: `image/${format}`,
  files: widths.map((width) => ({ address: variantPath(imageAddress, format, width), width })),
});

/** The image with a path, or its variant with that path; null if it has no such variant. */
function namedImage(id: string, image: ShownImage, path: string): NamedImage | null {
  const { width, height, hasPendingVariants } = image;
  if (belowMediaFolder(image.path) === path) {
    const address = referenceTo(image.path);
    const variants = variantFormats.flatMap((format) => {
      const widths = image.variants.filter((one) => one.format === format).map((one) => one.width);
      return widths.length === 0 ? [] : [{ format, widths }];
    });
    const sources = variants.map((one) => sourceOf(address, one));
    return { id, address, width, height, sources, hasPendingVariants };
  }
  const variant = image.variants.find((one) => belowMediaFolder(one.path) === path);
  if (!variant) return null;
  const size = { width: variant.width, height: Math.round((height * variant.width) / width) };
  return {
    id,
    address: referenceTo(variant.path),
    ...size,
    sources: [],
    hasPendingVariants: false,
  };
}
