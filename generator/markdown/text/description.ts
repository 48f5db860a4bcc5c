import { plainText, textWithoutImages } from './plain-text.ts';

const MAX_LENGTH = 155;
/** A cut prefers a space within this many characters, else any word boundary (CJK and Thai have no spaces). */
const REACH_BACK = 40;

/** Block elements: a paragraph inside one of them is not the post's own running text. */
const BLOCKS = /<(\/?)(p|blockquote|div|figure|li|pre|section|summary|table)(?: [^>]*)?>/g;

/** Code, and formulas in display style. */
const CODE = /<pre(?: [^>]*)?>.*?<\/pre>/gs;
const FOOTNOTES = /<section class="footnotes".*/s;

const words = new Intl.Segmenter('und', { granularity: 'word' });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Describes a post, given as `readable` HTML, in plain text of about 155 characters: its first paragraph of running
 * text, or else of a quotation or list, or else any text. Empty only if the post has no text.
 */
export function describe(html: string): string {
  const prose = html.replace(FOOTNOTES, '').replace(CODE, '');
  return shorten(
    firstParagraph(prose) ?? (textWithoutImages(prose) || textWithoutImages(html) || plainText(html)),
  );
}

function firstParagraph(html: string): string | null {
  let depth = 0;
  let start = 0;
  let nested: string | null = null;
  for (const { 1: slash, 2: name, 0: tag, index } of html.matchAll(BLOCKS)) {
    if (name !== 'p') {
      depth += slash === '/' ? -1 : 1;
    } else if (slash !== '/') {
      start = tag.includes('markdown-alert-title') ? -1 : index;
    } else if (start >= 0 && (depth === 0 || nested === null)) {
      const text = textWithoutImages(html.slice(start, index));
      const isProse = /[\p{L}\p{N}]/u.test(text);
      if (isProse && depth === 0) return text;
      if (isProse) nested = text;
    }
  }
  return nested;
}

function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const head = text.slice(0, cutOffset(text));
  return `${head.replace(/[\s\p{Pd}\p{Ps}\p{Pi}.,:;、。，：；؟،]+$/u, '') || head}…`;
}

function cutOffset(text: string): number {
  const space = text.lastIndexOf(' ', MAX_LENGTH);
  if (space >= MAX_LENGTH - REACH_BACK) return space;
  const around = text.slice(0, MAX_LENGTH + REACH_BACK);
  const word = lastBoundary(words, around);
  if (word >= MAX_LENGTH - REACH_BACK) return word;
  // A single letter with many combining accents may exceed the limit.
  return lastBoundary(graphemes, around) || MAX_LENGTH;
}

/** The last start of a segment within the limit. */
function lastBoundary(segmenter: Intl.Segmenter, text: string): number {
  let last = 0;
  for (const { index } of segmenter.segment(text)) {
    if (index > MAX_LENGTH) break;
    last = index;
  }
  return last;
}
