import type { HostedImage, ImageSource } from '../../generator/markdown/extensions/hosted-images.ts';
import type { Db } from '../database/database.ts';
import { findMentionedImages } from '../image-processing/image.ts';
import { type VariantFormat, variantFormats, variantPath } from '../image-processing/image-variant.ts';
import { belowMediaFolder, isReference, mediaPathIn, referenceTo, resolveAddress } from './references.ts';
import { findShownImages, type ShownImage } from './store.ts';

/**
 * A picture that a post, an author or a blog has beside its text, as JSON to store with it: a reference or an external
 * address, and for an uploaded image what pages say of it. It depends on no other row, so showing it needs no query.
 */
export interface StoredPicture {
  /** A reference (`platen-media:/<blog id>/<file>`), or an external address as it was given. */
  readonly address: string;
  /** In pixels; null for an external picture. */
  readonly width: number | null;
  readonly height: number | null;
  /** Its variants, best format first, with their widths in pixels, narrowest first; empty until they are made. */
  readonly variants: readonly { readonly format: VariantFormat; readonly widths: readonly number[] }[];
}

/** A picture as pages show it, with absolute addresses of today. */
export interface PictureView extends Pick<StoredPicture, 'address' | 'width' | 'height'> {
  /** The same picture in other formats, best first. */
  readonly sources: readonly ImageSource[];
}

/** An uploaded image that an address names. */
export interface NamedImage extends HostedImage {
  readonly id: string;
  readonly variants: StoredPicture['variants'];
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
 * What to store of a picture with an address (or reference): of an image of the account, on whatever host the address
 * names it, its reference, size and variants; of any other picture, the address alone. `awaited` is the id of the image
 * if its variants are still to be made: give it to `awaitImages`, and describe the picture again when its post is
 * rendered again.
 */
export async function describePicture(
  db: Db,
  accountId: string,
  address: string,
): Promise<{ picture: StoredPicture; awaited: string | null }> {
  const path = mediaPathIn(address);
  const image = path === null ? undefined : (await findNamedImages(db, accountId, path)).get(path);
  if (!image) return { picture: { address, width: null, height: null, variants: [] }, awaited: null };
  const { width, height, variants } = image;
  const picture = { address: image.address, width, height, variants };
  return { picture, awaited: image.hasPendingVariants ? image.id : null };
}

/** The reference to an image of the account that an address names, on whatever host; any other address unchanged. */
export const storedAddress = async (db: Db, accountId: string, address: string): Promise<string> =>
  isReference(address) ? address : (await describePicture(db, accountId, address)).picture.address;

/** A stored picture as pages show it. Pure and cheap: a list page may have a hundred. */
export function showPicture({ variants, ...picture }: StoredPicture, mediaUrl: string): PictureView {
  const address = resolveAddress(picture.address, mediaUrl);
  return { ...picture, address, sources: variants.map((variant) => sourceOf(address, variant)) };
}

/** The source of a picture in a format. Variants stand beside their image. */
const sourceOf = (
  imageAddress: string,
  { format, widths }: StoredPicture['variants'][number],
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
    return { id, address, width, height, sources, variants, hasPendingVariants };
  }
  const variant = image.variants.find((one) => belowMediaFolder(one.path) === path);
  if (!variant) return null;
  const size = { width: variant.width, height: Math.round((height * variant.width) / width) };
  return {
    id,
    address: referenceTo(variant.path),
    ...size,
    sources: [],
    variants: [],
    hasPendingVariants: false,
  };
}
