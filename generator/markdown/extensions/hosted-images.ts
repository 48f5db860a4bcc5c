import { imagePathIn } from '../../edge-paths.ts';
import type { ImageSource } from '../../site/picture.ts';
import { replaceCandidates } from '../../srcset.ts';
import { escapeText, unescapeText } from '../text/plain-text.ts';

/** An uploaded image with known size and formats. */
export interface HostedImage {
  /** The address that the HTML has, however the post writes it. */
  readonly address: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The same image in other formats, best first. */
  readonly sources: readonly ImageSource[];
}

/** Uploaded images by their path below the media folder (see `imagePathIn`). */
export type HostedImages = ReadonlyMap<string, HostedImage>;

export const noImages: HostedImages = new Map();

const TAG_WITH_ADDRESS = /<(?:a|img|source) [^>]*>/g;
const ADDRESS = / (href|src|srcset)="([^"]*)"/g;

/** The uploaded image that an attribute's value names, on whatever host. */
export function findHostedImage(value: string, images: HostedImages): HostedImage | undefined {
  const path = imagePathIn(unescapeText(value));
  return path === null ? undefined : images.get(path);
}

/** Replaces every address of an uploaded image in links and images by the image's own. */
export function replaceHostedAddresses(html: string, images: HostedImages): string {
  if (images.size === 0) return html;
  const replaced = (value: string): string => {
    const image = findHostedImage(value, images);
    return image ? escapeText(image.address) : value;
  };
  return html.replace(TAG_WITH_ADDRESS, (tag) =>
    tag.replace(ADDRESS, (_, name: string, value: string) =>
      name === 'srcset' ? ` srcset="${replaceCandidates(value, replaced)}"` : ` ${name}="${replaced(value)}"`,
    ),
  );
}
