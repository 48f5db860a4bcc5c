import { escapeText } from '../text/plain-text.ts';
import {
  findHostedImage,
  type HostedImage,
  type HostedImages,
  replaceHostedAddresses,
} from './hosted-images.ts';

const PICTURE_OR_IMAGE = /<(\/?)picture(?: [^>]*)?>|<img ([^>]*?) \/>/g;

/** `<picture>` elements in a post, each with some 2,000 characters of URLs. Later images have a single file. */
const MAX_PICTURES = 1_000;

/**
 * Makes images lazy. Images of known size also reserve their space on the page, and are loaded in the best format and
 * the smallest sufficient width. An author's own size, `srcset` or `<picture>` stays unchanged. Links to uploaded
 * images, and all their addresses, get the form in which they are stored.
 */
export function enhanceImages(html: string, images: HostedImages): string {
  return replaceHostedAddresses(html.includes('<img ') ? enhanceTags(html, images) : html, images);
}

function enhanceTags(html: string, images: HostedImages): string {
  let authorsPictures = 0;
  let pictures = 0;
  return html.replace(PICTURE_OR_IMAGE, (tag, slash: string, attributes?: string) => {
    if (attributes === undefined) {
      authorsPictures += slash === '/' ? -1 : 1;
      return tag;
    }
    const image = findHostedImage(attributeOf(attributes, 'src'), images);
    const given = / (?:width|height)="/.test(` ${attributes}`);
    const size = image && !given ? ` width="${image.width}" height="${image.height}"` : '';
    const enhanced = `<img ${attributes}${size} loading="lazy" decoding="async" />`;
    const isAuthors = authorsPictures > 0 || / srcset="/.test(` ${attributes}`);
    if (!image || image.sources.length === 0 || isAuthors || pictures === MAX_PICTURES) return enhanced;
    pictures += 1;
    return `<picture>${sourcesOf(image, displayWidth(attributes, image))}${enhanced}</picture>`;
  });
}

/** An image with a title, alone in a paragraph. */
const CAPTIONED =
  /<p( dir="auto")?><img ((?:[^\s=>]+="[^">]*" )*?)title="([^">]*)" ((?:[^\s=>]+="[^">]*" )*)\/><\/p>/g;

/** The title of an image that is alone in a paragraph becomes its caption. */
export const captionImages = (html: string): string =>
  html.includes(' title="')
    ? html.replace(CAPTIONED, (paragraph, direction = '', before: string, title: string, after: string) =>
        title.trim() === ''
          ? paragraph
          : `<figure><img ${before}${after}/><figcaption${direction}>${title}</figcaption></figure>`,
      )
    : html;

/** Wraps tables so that wide ones scroll within the page, by keyboard too. */
export function wrapTables(html: string): string {
  return html
    .replaceAll('<table', '<div class="table" tabindex="0"><table')
    .replaceAll('</table>', '</table></div>');
}

const attributeOf = (attributes: string, name: string): string =>
  new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';

/** Width of an image on a wide page, in CSS pixels. An author's width may also be a percentage. */
function displayWidth(attributes: string, { width }: HostedImage): number {
  const given = attributeOf(attributes, 'width');
  if (given === '') return width;
  return /^\d{1,4}$/.test(given) ? Number(given) : TEXT_WIDTH;
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
 * The largest width of a post in the theme (`--measure` in templates/styles/languages.css), in CSS pixels at the
 * default font size: some 43rem, and on a narrower screen everything except the margins.
 */
const TEXT_WIDTH = 688;
const MARGINS = 40;

const sizesOf = (shown: number): string =>
  shown < TEXT_WIDTH
    ? `(min-width: ${shown + MARGINS}px) ${shown}px, calc(100vw - ${MARGINS}px)`
    : '(min-width: 46rem) 43rem, calc(100vw - 2.5rem)';
