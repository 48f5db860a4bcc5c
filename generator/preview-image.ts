import type { SitePostSummary } from './site.ts';

/** URL of the image for link previews that the author chose: one for this purpose, or the cover. Null: the card. */
export const ownPreviewImage = ({
  ogImage,
  coverImage,
}: Pick<SitePostSummary, 'ogImage' | 'coverImage'>): string | null => ogImage ?? coverImage?.url ?? null;
