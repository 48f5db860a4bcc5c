import { sizeOfImage } from '../image-address.ts';
import { unescapeText } from '../plain-text.ts';

const IMAGE = /<img ([^>]*?) \/>/g;
const TABLE = /<table(?=[ >])/g;

/** Loads images when they are scrolled to; those that we host keep their place on the page until they are there. */
export function tendImages(html: string, mediaUrl: string | null): string {
  return html.replace(
    IMAGE,
    (_, attributes: string) =>
      `<img ${attributes}${sizeOf(attributes, mediaUrl)} loading="lazy" decoding="async" />`,
  );
}

/** Lets wide tables scroll within the page, with the keyboard too. */
export function wrapTables(html: string): string {
  return html
    .replace(TABLE, '<div class="table" tabindex="0"><table')
    .replaceAll('</table>', '</table></div>');
}

function sizeOf(attributes: string, mediaUrl: string | null): string {
  if (mediaUrl === null || / (?:width|height)="/.test(` ${attributes}`)) return '';
  const [, src = ''] = /(?:^| )src="([^"]*)"/.exec(attributes) ?? [];
  const size = sizeOfImage(unescapeText(src), mediaUrl);
  return size === null ? '' : ` width="${size.width}" height="${size.height}"`;
}
