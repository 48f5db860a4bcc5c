import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { escapeText, unescapeText } from '../text/plain-text.ts';
import { readDiagram } from './diagram-source.ts';

const require = createRequire(import.meta.url);

/** Layout takes superlinear time: over these limits a diagram stays code. */
const MAX_CHARACTERS = 5_000;
const MAX_DIAGRAMS = 20;

/**
 * The library's colours in terms of the theme's, each with a fallback for readers without the theme (feed readers).
 * The library's own style element would fetch fonts from another host, and is removed.
 */
const colours: Readonly<Record<string, string>> = {
  '--_text': 'currentColor',
  '--_text-sec': 'currentColor',
  '--_text-muted': 'currentColor',
  '--_text-faint': 'var(--soft,currentColor)',
  '--_line': 'var(--soft,currentColor)',
  '--_arrow': 'currentColor',
  '--_node-fill': 'var(--tint,Canvas)',
  '--_node-stroke': 'var(--soft,currentColor)',
  '--_group-fill': 'var(--paper,Canvas)',
  '--_group-hdr': 'var(--line,Canvas)',
  '--_inner-stroke': 'var(--line,currentColor)',
  '--_key-badge': 'var(--line,Canvas)',
  '--bg': 'var(--paper,Canvas)',
};

const elements = new Set(
  'svg defs marker g path line polyline polygon rect circle ellipse text tspan'.split(' '),
);
const attributes = new Set(
  (
    'class cx cy d dx dy fill font-size font-style font-weight height id marker-end marker-start markerHeight ' +
    'markerWidth opacity orient points r refX refY role rx ry stroke stroke-dasharray stroke-linecap stroke-linejoin ' +
    'stroke-width text-anchor text-decoration transform viewBox width x x1 x2 y y1 y2'
  ).split(' '),
);
const allowedValue = /^(?:[\w\s#%.,()+-]*|var\(--\w+,\w+\)|url\(#diagram\.[\w.-]+\))$/;

const TAG = /<(\/?)([a-zA-Z]+)((?: [\w:-]+="[^"<>]*")*)\s*(\/?)>/g;
const ATTRIBUTE = / ([\w:-]+)="([^"]*)"/g;

/** Draws one post's Mermaid diagrams as SVG; null for a diagram that cannot be drawn. */
export function createDiagrams(): (html: string) => string | null {
  let count = 0;
  return (html) => {
    if (html.length > MAX_CHARACTERS || count >= MAX_DIAGRAMS) return null;
    const source = readDiagram(unescapeText(html));
    if (source === null) return null;
    count += 1;
    const drawn = draw(source.text);
    const picture = drawn === null ? null : cleanSvg(drawn, `diagram.${count}.`);
    if (picture === null) return null;
    const svg = picture.replace(
      /^<svg/,
      () =>
        `<svg role="graphics-document document" aria-roledescription="${source.kind}" aria-label="${escapeText(source.title)}"`,
    );
    const caption = source.caption === '' ? '' : `<figcaption>${escapeText(source.caption)}</figcaption>`;
    return `<figure class="diagram" tabindex="0">${caption}${svg}</figure>`;
  };
}

/** Loads the library on first use: it is large, and few posts have a diagram. */
function draw(text: string): string | null {
  const { renderMermaidSVG }: typeof import('beautiful-mermaid') = require(
    fileURLToPath(import.meta.resolve('beautiful-mermaid')),
  );
  try {
    return renderMermaidSVG(text, { transparent: true, padding: 8 });
  } catch {
    return null;
  }
}

/**
 * The drawing with ids that are unique in the page, without invisible parts. Null if it has an element, attribute or
 * value that is not in the lists above: an author chooses colours, and a colour value may be a URL.
 */
function cleanSvg(svg: string, prefix: string): string | null {
  let isAllowed = true;
  const cleaned = svg
    .replace(/<style>.*?<\/style>/gs, '')
    .replace(TAG, (_, close: string, name: string, list: string, empty: string) => {
      isAllowed &&= elements.has(name);
      return `<${close}${name}${close ? '' : cleanAttributes(list)}${empty}>`;
    });
  function cleanAttributes(list: string): string {
    return list.replace(ATTRIBUTE, (_, name: string, given: string) => {
      if (/^(?:style|xmlns|data-.*)$/.test(name) || (name === 'class' && given !== 'mono')) return '';
      const final = cleanValue(name, given, prefix);
      isAllowed &&= attributes.has(name) && allowedValue.test(final);
      return ` ${name}="${final}"`;
    });
  }
  const text = cleaned.replace(TAG, '');
  return isAllowed && !/[<>]/.test(text) ? cleaned.replace(/>\s+</g, '><').trim() : null;
}

/** Scale of font sizes: the library assumes narrower letters than many systems have. */
const FONT_SCALE = 0.92;

function cleanValue(name: string, given: string, prefix: string): string {
  if (name === 'id') return prefix + given;
  if (name === 'font-size') return String(Math.round(Number(given) * FONT_SCALE * 10) / 10);
  return given
    .replace(/^url\(#/, `url(#${prefix}`)
    .replace(/^var\((--[\w-]+)\)$/, (whole, shade: string) => colours[shade] ?? whole)
    .replace(/-?\d+\.\d{3,}/g, (number) => String(Math.round(Number(number) * 100) / 100));
}
