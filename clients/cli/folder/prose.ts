/** A piece of Markdown: code, which is shown as it is written, or text. */
export interface Piece {
  readonly text: string;
  readonly isCode: boolean;
  /** Where it begins in the whole. */
  readonly offset: number;
}

/**
 * Divides Markdown into code (fenced blocks and spans) and the text between, in order and without gaps. Blocks of
 * indented code count as text: they cannot be told from nested lists without parsing all of it.
 */
export function* piecesOf(markdown: string): Generator<Piece> {
  for (const block of fencedBlocks(markdown)) {
    if (block.isCode) yield block;
    else yield* spansOf(block);
  }
}

/** Replaces the text of Markdown and leaves its code as it is. */
export function mapText(markdown: string, replace: (text: string, offset: number) => string): string {
  let result = '';
  for (const { text, isCode, offset } of piecesOf(markdown)) result += isCode ? text : replace(text, offset);
  return result;
}

function* fencedBlocks(markdown: string): Generator<Piece> {
  let start = 0;
  let offset = 0;
  let fence: string | undefined;
  for (const line of markdown.split(/(?<=\n)/)) {
    const ticks = fenceOf(line);
    if (fence === undefined && ticks !== undefined) {
      if (offset > start) yield { text: markdown.slice(start, offset), isCode: false, offset: start };
      start = offset;
      fence = ticks;
    } else if (fence !== undefined && closes(line, fence)) {
      const end = offset + line.length;
      yield { text: markdown.slice(start, end), isCode: true, offset: start };
      start = end;
      fence = undefined;
    }
    offset += line.length;
  }
  if (offset > start)
    yield { text: markdown.slice(start, offset), isCode: fence !== undefined, offset: start };
}

/** The fence that a line opens, also within lists and quotations. */
export const fenceOf = (line: string): string | undefined =>
  /^[ \t]*(?:(?:>|[-*+]|\d+[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];

/** Whether a line closes a fence. */
export function closes(line: string, fence: string): boolean {
  const found = /^[ \t>]*(`{3,}|~{3,})[ \t]*\r?\n?$/.exec(line)?.[1];
  return found?.startsWith(fence) ?? false;
}

/** Code spans, which do not reach beyond their paragraph. */
function* spansOf({ text: block, offset: base }: Piece): Generator<Piece> {
  let offset = base;
  for (const paragraph of block.split(/(?<=\n[ \t]*\r?\n)/)) {
    let start = 0;
    for (const { 0: span, index } of codeSpans(paragraph)) {
      if (index > start) yield { text: paragraph.slice(start, index), isCode: false, offset: offset + start };
      yield { text: span, isCode: true, offset: offset + index };
      start = index + span.length;
    }
    if (start < paragraph.length)
      yield { text: paragraph.slice(start), isCode: false, offset: offset + start };
    offset += paragraph.length;
  }
}

/** Runs of backticks are paired with the next run of the same length. Each search is linear in the paragraph. */
function* codeSpans(paragraph: string): Generator<{ 0: string; index: number }> {
  const runs = [...paragraph.matchAll(/`+/g)];
  const next = new Map<number, number>();
  const partner = new Array<number | undefined>(runs.length);
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const length = runs[at]?.[0].length ?? 0;
    partner[at] = next.get(length);
    next.set(length, at);
  }
  for (let at = 0; at < runs.length; at += 1) {
    const [open, closing] = [runs[at], runs[partner[at] ?? -1]];
    if (open === undefined || closing === undefined || paragraph[open.index - 1] === '\\') continue;
    yield { 0: paragraph.slice(open.index, closing.index + closing[0].length), index: open.index };
    at = partner[at] ?? at;
  }
}
