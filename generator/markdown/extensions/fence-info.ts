/** The info string of a code fence: ` ```ts title="fold.ts" {1,3-5} showLineNumbers `. */
export interface FenceInfo {
  /** As written; empty if there is none. */
  readonly language: string;
  /** Empty if there is none. */
  readonly title: string;
  /** Number of the first line; null if lines are not numbered. */
  readonly firstLine: number | null;
  /** First and last line of each range to mark, counted from one. */
  readonly ranges: readonly (readonly [number, number])[];
  /** Whether a leading sign marks lines as added or removed. */
  readonly diff: boolean;
}

const WORD =
  /title=(?:"([^"]*)"|'([^']*)'|(\S+))|(?<!\S)\{([\d\s,-]+)\}|showLineNumbers(?!=false)(?:="?(\d{1,6})"?|\{(\d{1,6})\})?|(?<!\S)(diff)(?!\S)|\S/g;

/** Parses the language and the words after it. Unknown words are ignored. */
export function readFenceInfo(language: string, meta: string): FenceInfo {
  let title = '';
  let firstLine: number | null = null;
  let diff = /^(?:diff|patch)$/i.test(language);
  const ranges: [number, number][] = [];
  // Some authors leave out the space: ```js{2}, ```rust,ignore, ```js:app.js
  const [, name = '', attached = ''] = /^([^{,:]*)[,:]?(.*)$/s.exec(language) ?? [];
  for (const [word, double, single, bare, lines, start, braced, sign] of `${attached} ${meta}`.matchAll(
    WORD,
  )) {
    if (word.startsWith('title=')) title ||= (double ?? single ?? bare ?? '').trim();
    else if (lines !== undefined) ranges.push(...rangesOf(lines));
    else if (word.startsWith('showLineNumbers')) firstLine = Number(start ?? braced ?? 1);
    else if (sign !== undefined) diff = true;
  }
  return { language: name, title, firstLine, ranges, diff };
}

function rangesOf(lines: string): [number, number][] {
  return Array.from(lines.matchAll(/(\d{1,6})(?:\s*-\s*(\d{1,6}))?/g), ([, from = '', to = from]) => {
    const ends = [Number(from), Number(to)];
    return [Math.min(...ends), Math.max(...ends)];
  });
}
