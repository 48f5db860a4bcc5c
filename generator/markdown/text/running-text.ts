/**
 * In a post's searchable text, this character (U+241E, ␞) stands between the running text and what is found but never
 * shown in an excerpt: code, formulas in display style, tables and the words of diagrams. It is not white space, and
 * HTML may hold it.
 */
const SEPARATOR = '\u241e';

const SEPARATORS = new RegExp(`(?: *${SEPARATOR})+ *`, 'g');

/** Joins the two parts of a searchable text. An author's own separators are white space. */
export function joinSearchText(running: string, apart: string): string {
  const shown = withoutSeparators(running);
  const hidden = withoutSeparators(apart);
  // Spaces, because Pagefind separates words only there.
  return hidden === '' ? shown : `${shown} ${SEPARATOR} ${hidden}`.trimStart();
}

/** The part of a searchable text that excerpts show; empty if a post is only code, tables and drawings. */
export function runningText(text: string): string {
  const end = text.indexOf(SEPARATOR);
  return end < 0 ? text : text.slice(0, end).trimEnd();
}

const withoutSeparators = (text: string): string => text.replace(SEPARATORS, ' ').trim();
