/** Font sizes for titles in pixels, the largest first. */
const sizes = [112, 96, 84, 72, 60, 50] as const;
const smallest = 50;

/** Characters. Only longer words can be too long for a line; shorter ones fit at every size. */
const longWord = 8;
/** Characters. Longer titles do not fit even at the smallest size, so they are not measured. */
const longest = 300;

export interface Fitted {
  readonly text: string;
  readonly size: number;
}

/** Measures a title: the number of lines that a text takes at a font size, and the number that fit. */
export interface Measure {
  lines(text: string, size: number): Promise<number>;
  room(size: number): number;
}

/**
 * Finds the largest font size at which a title fits without breaking a word. A title that fits at none is cut after a
 * whole word at the smallest size, and ends with an ellipsis.
 */
export async function fitTitle(title: string, measure: Measure): Promise<Fitted> {
  if (title.length <= longest) {
    for (const size of sizes) {
      if ((await measure.lines(title, size)) > measure.room(size)) continue;
      if (size === smallest || (await wordsFit(title, size, measure))) return { text: title, size };
    }
  }
  return { text: await shorten(title, measure), size: smallest };
}

const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]`;
/** Line break opportunities: spaces, and between Han and kana characters that no joiner (U+2060) holds together. */
const breakable = new RegExp(String.raw`[\s\u200b]+|(?<=${unspaced})(?=${unspaced})`, 'u');

async function wordsFit(title: string, size: number, measure: Measure): Promise<boolean> {
  const words = title.split(breakable);
  const longestWord = words.reduce((a, b) => (b.length > a.length ? b : a), '');
  return longestWord.length <= longWord || (await measure.lines(longestWord, size)) === 1;
}

async function shorten(title: string, measure: Measure): Promise<string> {
  const ends = wordEnds(title);
  const cut = (count: number) => `${title.slice(0, ends[count - 1]).replace(/[\s\p{P}]+$/u, '')}…`;
  let fits = 1;
  let tooMany = ends.length + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if ((await measure.lines(cut(middle), smallest)) <= measure.room(smallest)) fits = middle;
    else tooMany = middle;
  }
  return cut(fits);
}

/** Offsets at which a title may be cut: word ends, and in a word that is too long for a line every grapheme. */
function wordEnds(title: string): number[] {
  const words = new Intl.Segmenter('und', { granularity: 'word' }).segment(title.slice(0, longest));
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
  return Array.from(words, ({ segment, index }) =>
    segment.length > 4 * longWord
      ? Array.from(graphemes.segment(segment), (part) => index + part.index + part.segment.length)
      : [index + segment.length],
  ).flat();
}
