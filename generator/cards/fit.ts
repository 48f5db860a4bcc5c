/** Font sizes for titles in pixels, the largest first. */
const fontSizes = [112, 96, 84, 72, 60, 50] as const;
const smallestSize = 50;

/** Characters. Only longer words can be too long for a line; shorter ones fit at every size. */
const longWordLength = 8;
/** Characters. Longer titles do not fit even at the smallest size, so they are not measured. */
const maxMeasuredLength = 300;

export interface FittedTitle {
  readonly text: string;
  readonly size: number;
}

/** Measures a title: the number of lines that a text takes at a font size, and the number that fit. */
export interface TitleMeasure {
  lineCount(text: string, size: number): Promise<number>;
  maxLines(size: number): number;
}

/**
 * Finds the largest font size at which a title fits without breaking a word. A title that fits at none is cut after a
 * whole word at the smallest size, and ends with an ellipsis.
 */
export async function fitTitle(title: string, measure: TitleMeasure): Promise<FittedTitle> {
  if (title.length <= maxMeasuredLength) {
    for (const size of fontSizes) {
      if ((await measure.lineCount(title, size)) > measure.maxLines(size)) continue;
      if (size === smallestSize || (await wordsFit(title, size, measure))) return { text: title, size };
    }
  }
  return { text: await shorten(title, measure), size: smallestSize };
}

const unspacedScripts = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]`;
/** Line break opportunities: spaces, and between Han and kana characters that no joiner (U+2060) holds together. */
const lineBreakOpportunity = new RegExp(
  String.raw`[\s\u200b]+|(?<=${unspacedScripts})(?=${unspacedScripts})`,
  'u',
);

async function wordsFit(title: string, size: number, measure: TitleMeasure): Promise<boolean> {
  const words = title.split(lineBreakOpportunity);
  const longestWord = words.reduce((a, b) => (b.length > a.length ? b : a), '');
  return longestWord.length <= longWordLength || (await measure.lineCount(longestWord, size)) === 1;
}

async function shorten(title: string, measure: TitleMeasure): Promise<string> {
  const ends = wordEnds(title);
  const cut = (count: number) => `${title.slice(0, ends[count - 1]).replace(/[\s\p{P}]+$/u, '')}…`;
  let fits = 1;
  let tooMany = ends.length + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if ((await measure.lineCount(cut(middle), smallestSize)) <= measure.maxLines(smallestSize)) fits = middle;
    else tooMany = middle;
  }
  return cut(fits);
}

/** Offsets at which a title may be cut: word ends, and in a word that is too long for a line every grapheme. */
function wordEnds(title: string): number[] {
  const words = new Intl.Segmenter('und', { granularity: 'word' }).segment(title.slice(0, maxMeasuredLength));
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
  return Array.from(words, ({ segment, index }) =>
    segment.length > 4 * longWordLength
      ? Array.from(graphemes.segment(segment), (part) => index + part.index + part.segment.length)
      : [index + segment.length],
  ).flat();
}
