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

/** Matches addresses of images and variants below the media host. */
export const mediaAddressPattern = new RegExp(
  `^(?:${addressPattern}|/${uuid}/${uuid}-\\d{1,4}\\.(?:${variantFormats.join('|')}))$`,
);

const addressInText = new RegExp(`${addressPattern}(?![\\w.-])`, 'g');

/** A full stop may follow, as at the end of a sentence. */
const mentionInText = new RegExp(`${addressPattern}(?![\\w-])`, 'g');

/** Images counted per text. No real post has more. */
const MAX_MENTIONS = 1_000;

/** Ids of images whose addresses occur in a text, on any host, because the media host may have changed. */
export function findMentionedImageIds(text: string): string[] {
  const ids = new Set<string>();
  for (const [, id = ''] of text.matchAll(mentionInText)) {
    ids.add(id);
    if (ids.size === MAX_MENTIONS) break;
  }
  return [...ids];
}

/** Addresses of our images in a text, each once, with the ids of the images. */
export function findMediaAddresses(text: string, mediaUrl: string): { address: string; id: string }[] {
  if (!text.includes(mediaUrl)) return [];
  const ids = new Map<string, string>();
  for (const { 0: path, 1: id = '', index } of text.matchAll(addressInText)) {
    if (text.endsWith(mediaUrl, index)) ids.set(mediaUrl + path, id);
  }
  return Array.from(ids, ([address, id]) => ({ address, id }));
}
