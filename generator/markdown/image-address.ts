/** How the addresses of uploaded images are made: below the media host, and telling the size of what is there. */

export const imageExtensions = ['jpg', 'png', 'gif', 'webp'] as const;
export type ImageExtension = (typeof imageExtensions)[number];

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** No page shows a picture that is wider or higher than this in its own size, so such a size is not told. */
const EDGE_MAX = 99_999;

/** What follows the media host in the address of an image: `/<blog>/<image>-640x480.png`. Ids are UUIDs. */
export function imageAddress(blogId: string, id: string, size: ImageSize, extension: ImageExtension): string {
  const { width, height } = size;
  const told = Math.max(width, height) <= EDGE_MAX ? `-${width}x${height}` : '';
  return `/${blogId}/${id}${told}.${extension}`;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const size = '-([1-9]\\d{0,4})x([1-9]\\d{0,4})';

/** Matches what `imageAddress` gives, and the addresses of images from before it told their size. */
export const imageAddressPattern = new RegExp(
  `^/${uuid}/${uuid}(?:${size})?\\.(?:${imageExtensions.join('|')})$`,
);

/**
 * The size of an uploaded image by its absolute address; null for every other address and for one that tells no size.
 * `mediaUrl` is the media host's, without a slash at its end.
 */
export function sizeOfImage(address: string, mediaUrl: string): ImageSize | null {
  if (!address.startsWith(mediaUrl)) return null;
  const [, width, height] = imageAddressPattern.exec(address.slice(mediaUrl.length)) ?? [];
  return width === undefined || height === undefined
    ? null
    : { width: Number(width), height: Number(height) };
}
