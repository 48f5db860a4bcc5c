import { plainText, writtenText } from './plain-text.ts';

const MAX_LENGTH = 155;
/** A cut prefers a space if one is within reach, else any word's end (there are no spaces in CJK and Thai). */
const REACH_BACK = 40;

/** What a paragraph may stand in and yet not be the post's own first words. */
const BLOCKS = /<(\/?)(p|blockquote|div|figure|li|pre|section|summary|table)(?: [^>]*)?>/g;

/** Code, and formulas on lines of their own. */
const NO_PROSE = /<pre(?: [^>]*)?>.*?<\/pre>/gs;
const FOOTNOTES = /<section class="footnotes".*/s;

const words = new Intl.Segmenter('und', { granularity: 'word' });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * A post, as `readable` HTML, in a sentence or two, as plain text of about 155 characters: its first paragraph of running text; failing
 * that a paragraph in a quotation or list; failing that whatever text there is. Empty only without any text.
 */
export function describe(html: string): string {
  const prose = html.replace(FOOTNOTES, '').replace(NO_PROSE, '');
  return shorten(firstParagraph(prose) ?? (writtenText(prose) || writtenText(html) || plainText(html)));
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
      const text = writtenText(html.slice(start, index));
      const isProse = /[\p{L}\p{N}]/u.test(text);
      if (isProse && depth === 0) return text;
      if (isProse) nested = text;
    }
  }
  return nested;
}

function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const head = text.slice(0, cutAt(text));
  return `${head.replace(/[\s\p{Pd}\p{Ps}\p{Pi}.,:;、。，：；؟،]+$/u, '') || head}…`;
}

function cutAt(text: string): number {
  const space = text.lastIndexOf(' ', MAX_LENGTH);
  if (space >= MAX_LENGTH - REACH_BACK) return space;
  const around = text.slice(0, MAX_LENGTH + REACH_BACK);
  const word = lastBoundary(words, around);
  if (word >= MAX_LENGTH - REACH_BACK) return word;
  // One letter under a tower of accents may be longer than all that fits.
  return lastBoundary(graphemes, around) || MAX_LENGTH;
}

/** The last place within what fits at which a segment begins. */
function lastBoundary(segmenter: Intl.Segmenter, text: string): number {
  let last = 0;
  for (const { index } of segmenter.segment(text)) {
    if (index > MAX_LENGTH) break;
    last = index;
  }
  return last;
}
