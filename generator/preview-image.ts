import type { SitePostSummary } from './site/post.ts';

/** An image for link previews. */
export interface PreviewImage {
  readonly url: string;
  /** In pixels; null if unknown. */
  readonly width: number | null;
  readonly height: number | null;
}

/** The image for link previews that the author chose: one for this purpose, or the cover. Null: the card. */
export function ownPreviewImage({
  ogImage,
  coverImage,
}: Pick<SitePostSummary, 'ogImage' | 'coverImage'>): PreviewImage | null {
  if (ogImage !== null) return { url: ogImage, width: null, height: null };
  return coverImage && { url: coverImage.url, width: coverImage.width, height: coverImage.height };
}

/** Pixels of every drawn card. */
export const cardSize = { width: 1200, height: 630 } as const;
