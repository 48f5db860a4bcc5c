const EXCERPT_LENGTH = 200;
/** Enough of a text for an excerpt and the word after it, in whole characters. */
const beginningPattern = /^.{0,400}/su;

const words = new Intl.Segmenter('und', { granularity: 'word' });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The beginning of a text on one line: about 200 characters, cut at the end of a word. */
export function excerptOf(text: string): string {
  const line = (beginningPattern.exec(text)?.[0] ?? '').replace(/\s+/g, ' ').trim();
  if (line.length <= EXCERPT_LENGTH) return line;
  const end = lastBoundary(words, line) || lastBoundary(graphemes, line) || EXCERPT_LENGTH;
  return `${line.slice(0, end).trimEnd()}…`;
}

/** Start of the segment that contains the length limit. */
const lastBoundary = (segmenter: Intl.Segmenter, line: string): number =>
  segmenter.segment(line).containing(EXCERPT_LENGTH)?.index ?? 0;
