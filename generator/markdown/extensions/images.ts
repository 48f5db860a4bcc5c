import { escapeText, unescapeText } from '../text/plain-text.ts';

const PICTURE_OR_IMAGE = /<(\/?)picture(?: [^>]*)?>|<img ([^>]*?) \/>/g;

/** Pictures of several files in a post, each with some 2,000 characters of addresses; what comes after has one file. */
const MAX_PICTURES = 1_000;

/** An image of which more is known than its address. */
export interface HostedImage {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The same picture in other formats, best first. */
  readonly sources: readonly ImageSource[];
}

/** A picture in one format. */
export interface ImageSource {
  /** Its media type. */
  readonly type: string;
  /** Its files, narrowest first. */
  readonly files: readonly { readonly address: string; readonly width: number }[];
}

/** Images by their addresses, as a post writes them. */
export type HostedImages = ReadonlyMap<string, HostedImage>;

export const noImages: HostedImages = new Map();

/**
 * Loads images when they are scrolled to. Those of a known size keep their place on the page until they are there, and
 * come in the best format and the smallest width that will do. What an author says of that themselves stays as it is:
 * a size, a `srcset`, a `<picture>`.
 */
export function tendImages(html: string, images: HostedImages): string {
  if (!html.includes('<img ')) return html;
  let authorsPictures = 0;
  let pictures = 0;
  return html.replace(PICTURE_OR_IMAGE, (tag, slash: string, attributes?: string) => {
    if (attributes === undefined) {
      authorsPictures += slash === '/' ? -1 : 1;
      return tag;
    }
    const image = images.get(unescapeText(attributeOf(attributes, 'src')));
    const given = / (?:width|height)="/.test(` ${attributes}`);
    const size = image && !given ? ` width="${image.width}" height="${image.height}"` : '';
    const tended = `<img ${attributes}${size} loading="lazy" decoding="async" />`;
    const isAuthors = authorsPictures > 0 || / srcset="/.test(` ${attributes}`);
    if (!image || image.sources.length === 0 || isAuthors || pictures === MAX_PICTURES) return tended;
    pictures += 1;
    return `<picture>${sourcesOf(image, shownWidth(attributes, image))}${tended}</picture>`;
  });
}

/** Lets wide tables scroll within the page, with the keyboard too. */
export function wrapTables(html: string): string {
  return html
    .replaceAll('<table', '<div class="table" tabindex="0"><table')
    .replaceAll('</table>', '</table></div>');
}

const attributeOf = (attributes: string, name: string): string =>
  new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';

/** Pixels of the page that an image takes where there is room. A width that is given may also be a share of the page. */
function shownWidth(attributes: string, { width }: HostedImage): number {
  const given = attributeOf(attributes, 'width');
  if (given === '') return width;
  return /^\d{1,4}$/.test(given) ? Number(given) : MEASURE;
}

function sourcesOf({ sources }: HostedImage, shown: number): string {
  const sizes = sizesOf(shown);
  return sources
    .map(({ type, files }) => {
      const candidates = files.map(({ address, width }) => `${escapeText(address)} ${width}w`);
      return `<source type="${type}" srcset="${candidates.join(', ')}" sizes="${sizes}" />`;
    })
    .join('');
}

/**
 * What the theme (templates/styles/page.css) gives a post, in pixels of the browser's usual size of letters: a measure
 * of at most 38rem, and on a narrower screen all but its margins.
 */
const MEASURE = 608;
const MARGINS = 40;

const sizesOf = (shown: number): string =>
  shown < MEASURE
    ? `(min-width: ${shown + MARGINS}px) ${shown}px, calc(100vw - ${MARGINS}px)`
    : '(min-width: 42rem) 38rem, calc(100vw - 2.5rem)';
