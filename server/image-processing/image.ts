import { variantFormats } from './image-variant.ts';

/** The interface's "Upload": what may be uploaded, and how large. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
/** The same in words. */
export const IMAGE_TYPES = new Intl.ListFormat('en', { type: 'disjunction' }).format(imageTypes);
export type ImageType = (typeof imageTypes)[number];

export const IMAGE_MAX_BYTES = 5 * 1_048_576;

/** Extensions under which images are stored. */
const extensions: Readonly<Record<ImageType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** How a file of each type begins, byte by byte. */
const signatures: Readonly<Record<ImageType, (start: string) => boolean>> = {
  'image/jpeg': (start) => start.startsWith('\xff\xd8\xff'),
  'image/png': (start) => start.startsWith('\x89PNG\r\n\x1a\n'),
  'image/gif': (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a'),
  'image/webp': (start) => start.startsWith('RIFF') && start.startsWith('WEBP', 8),
};

/** What the bytes say they are, whatever anybody calls them; null for all that is not an image of these types. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return imageTypes.find((type) => signatures[type](start)) ?? null;
}

/** The type that a file's name claims; null for a name that claims none. */
export function imageTypeOfName(name: string): ImageType | null {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase().replace('jpeg', 'jpg');
  return imageTypes.find((type) => extensions[type] === extension) ?? null;
}

/** Where an image lies on the edge; what follows `media/` is its address below the media host. */
export const mediaPath = (blogId: string, id: string, type: ImageType): string =>
  `media/${blogId}/${id}.${extensions[type]}`;

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const address = `/${uuid}/(${uuid})\\.(?:${Object.values(extensions).join('|')})`;

/** Addresses below the media host at which an image may be, or one of its variants. */
export const mediaAddress = new RegExp(
  `^(?:${address}|/${uuid}/${uuid}-\\d{1,4}\\.(?:${variantFormats.join('|')}))$`,
);

const anyAddress = new RegExp(`${address}(?![\\w.-])`, 'g');

/** A sentence may end behind it. */
const mention = new RegExp(`${address}(?![\\w-])`, 'g');

/** Images of one text that are counted as its own; more are in no post. */
const MENTIONED_MAX = 1_000;

/** Ids of the images whose addresses stand in a text, whatever host they are at: it may have been another once. */
export function mentionedImages(text: string): string[] {
  const ids = new Set<string>();
  for (const [, id = ''] of text.matchAll(mention)) {
    ids.add(id);
    if (ids.size === MENTIONED_MAX) break;
  }
  return [...ids];
}

/** The addresses of images of ours in a text, each once, with the images' ids. */
export function mediaAddresses(text: string, mediaUrl: string): { address: string; id: string }[] {
  if (!text.includes(mediaUrl)) return [];
  const ids = new Map<string, string>();
  for (const { 0: path, 1: id = '', index } of text.matchAll(anyAddress)) {
    if (text.endsWith(mediaUrl, index)) ids.set(mediaUrl + path, id);
  }
  return Array.from(ids, ([address, id]) => ({ address, id }));
}
