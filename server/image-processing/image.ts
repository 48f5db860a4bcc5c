import { mediaFolder } from '../../generator/edge-paths.ts';
import { variantFormats } from './image-variant.ts';

/** Accepted types and size, from the interface's "Upload". */
export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
/** The same for error messages. */
export const IMAGE_TYPE_LIST = new Intl.ListFormat('en', { type: 'disjunction' }).format(imageTypes);
export type ImageType = (typeof imageTypes)[number];

export const IMAGE_MAX_BYTES = 5 * 1_048_576;

/** File extensions of stored images. */
const extensions: Readonly<Record<ImageType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Magic bytes of each type. */
const signatures: Readonly<Record<ImageType, (start: string) => boolean>> = {
  'image/jpeg': (start) => start.startsWith('\xff\xd8\xff'),
  'image/png': (start) => start.startsWith('\x89PNG\r\n\x1a\n'),
  'image/gif': (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a'),
  'image/webp': (start) => start.startsWith('RIFF') && start.startsWith('WEBP', 8),
};

/** Type by magic bytes, whatever the declared type; null if the bytes are not an image of these types. */
export function detectImageType(bytes: Uint8Array): ImageType | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return imageTypes.find((type) => signatures[type](start)) ?? null;
}

/** Type by file extension; null if the extension is missing or unknown. */
export function imageTypeFromName(name: string): ImageType | null {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase().replace('jpeg', 'jpg');
  return imageTypes.find((type) => extensions[type] === extension) ?? null;
}

/** Edge path of an image. The part after `media/` is its address below the media host. */
export const mediaPath = (blogId: string, id: string, type: ImageType): string =>
  `${mediaFolder(blogId)}${id}.${extensions[type]}`;

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const addressPattern = `/${uuid}/(${uuid})\\.(?:${Object.values(extensions).join('|')})`;
const variantPattern = `/${uuid}/(${uuid})-\\d{1,4}\\.(?:${variantFormats.join('|')}|png)`;

/** Matches addresses of images and variants below the media host. */
export const mediaAddressPattern = new RegExp(`^(?:${addressPattern}|${variantPattern})$`);

/**
 * Matches the paths of images and variants below the media folder in a text, with the id of the image in the first or
 * second group. A full stop may follow, as at the end of a sentence.
 */
export const mediaPathInText = new RegExp(`(?:${addressPattern}|${variantPattern})(?![\\w-])`, 'g');

/** Paths considered per text. No real post has more; addresses after these count as external. */
const MAX_MENTIONS = 1_000;

/** A path of an image or of a variant below the media folder, and the id of the image. */
export interface ImageMention {
  readonly path: string;
  readonly id: string;
}

/** Paths of images that occur in a text, each once, on any host, because the media host may have changed. */
export function findMentionedImages(text: string): ImageMention[] {
  const ids = new Map<string, string>();
  for (const [path, image, imageOfVariant] of text.matchAll(mediaPathInText)) {
    ids.set(path, image ?? imageOfVariant ?? '');
    if (ids.size === MAX_MENTIONS) break;
  }
  return Array.from(ids, ([path, id]) => ({ path, id }));
}
