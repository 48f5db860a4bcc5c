/** What the first line of a code fence says: ` ```ts title="fold.ts" {1,3-5} showLineNumbers `. */
export interface FenceInfo {
  /** As written; empty where none is named. */
  readonly language: string;
  /** Empty where there is none. */
  readonly title: string;
  /** Number of the first line; null where lines are not numbered. */
  readonly firstLine: number | null;
  /** First and last of the lines to point out, counted from one. */
  readonly ranges: readonly (readonly [number, number])[];
  /** Whether lines are marked as added or removed by the sign that they begin with. */
  readonly diff: boolean;
}

const WORD =
  /title=(?:"([^"]*)"|'([^']*)'|(\S+))|(?<!\S)\{([\d\s,-]+)\}|showLineNumbers(?!=false)(?:="?(\d{1,6})"?|\{(\d{1,6})\})?|(?<!\S)(diff)(?!\S)|\S/g;

/** Reads the language and what follows it; words that mean nothing here are passed over. */
export function readFenceInfo(language: string, meta: string): FenceInfo {
  let title = '';
  let firstLine: number | null = null;
  let diff = /^(?:diff|patch)$/i.test(language);
  const ranges: [number, number][] = [];
  // Some write more without a space: ```js{2}, ```rust,ignore, ```js:app.js
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
