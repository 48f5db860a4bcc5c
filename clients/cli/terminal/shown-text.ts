/** Control characters, and those that turn the direction of what follows: in a terminal, a title could act with them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSHOWN = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g;

/** A text of others on one line, with nothing in it that a terminal would carry out. */
export const onOneLine = (text: string): string => text.replace(UNSHOWN, ' ').trim();

/** A text of others with its lines. */
export const withLines = (text: string): string =>
  text.replace(UNSHOWN, (found) => found.replace(/[^\n\t]/g, ''));

/** Characters that take two columns: of East Asia, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const widthOfOne = (grapheme: string): number => (WIDE.test(grapheme) ? 2 : 1);

/** Columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfOne(segment);
  return width;
}

/** A text that takes at most so many columns, with an ellipsis if something was cut off. */
export function shortened(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [kept, width] = ['', 0];
  for (const { segment } of graphemes.segment(text)) {
    width += widthOfOne(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** `3 posts`, `1 post` */
export const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
