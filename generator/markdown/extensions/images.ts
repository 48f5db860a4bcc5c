import { unescapeText } from '../plain-text.ts';

const IMAGE = /<img ([^>]*?) \/>/g;
const TABLE = /<table(?=[ >])/g;

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The sizes of images by their addresses, as a post writes them. */
export type ImageSizes = ReadonlyMap<string, ImageSize>;

export const noImages: ImageSizes = new Map();

/** Loads images when they are scrolled to; those of a known size keep their place on the page until they are there. */
export function tendImages(html: string, sizes: ImageSizes): string {
  return html.replace(
    IMAGE,
    (_, attributes: string) =>
      `<img ${attributes}${sizeOf(attributes, sizes)} loading="lazy" decoding="async" />`,
  );
}

/** Lets wide tables scroll within the page, with the keyboard too. */
export function wrapTables(html: string): string {
  return html
    .replace(TABLE, '<div class="table" tabindex="0"><table')
    .replaceAll('</table>', '</table></div>');
}

function sizeOf(attributes: string, sizes: ImageSizes): string {
  if (sizes.size === 0 || / (?:width|height)="/.test(` ${attributes}`)) return '';
  const [, src = ''] = /(?:^| )src="([^"]*)"/.exec(attributes) ?? [];
  const size = sizes.get(unescapeText(src));
  return size === undefined ? '' : ` width="${size.width}" height="${size.height}"`;
}
