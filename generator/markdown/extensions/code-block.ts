import { escapeText, unescapeText } from '../text/plain-text.ts';
import type { FenceInfo } from './fence-info.ts';
import { highlightCode } from './highlight.ts';

const TAG = /<(\/?)span([^>]*)>|\n/g;

/**
 * Limits of highlighting: characters in one block and in a whole post, and characters in a line. Many grammars take
 * quadratic time on artificial input: 200,000 underscores in one line take the JavaScript grammar two minutes.
 */
const MAX_BLOCK = 20_000;
const MAX_HIGHLIGHTED = 100_000;
const LONG_LINE = /[^\n]{1000}/;

/** Draws one post's code blocks: highlighted, and with the title, line numbers and line marks of the fence info. */
export function createCodeBlocks(): (html: string, info: FenceInfo) => string {
  let coloured = 0;
  const colour = (html: string, language: string): string => {
    if (html.length > MAX_BLOCK || coloured + html.length > MAX_HIGHLIGHTED || LONG_LINE.test(html))
      return html;
    coloured += html.length;
    return highlightCode(unescapeText(html), language) ?? html;
  };
  return (html, info) => {
    const named = info.language === '' ? '' : ` class="language-${escapeText(info.language)}"`;
    const block = `<pre tabindex="0"><code${named}>${linesOf(html, info, colour)}</code></pre>`;
    return info.title === ''
      ? block
      : `<figure class="code"><figcaption>${escapeText(info.title)}</figcaption>${block}</figure>`;
  };
}

type Highlight = (html: string, language: string) => string;

/** Wraps lines in elements only if one of them has a number or a mark. */
function linesOf(html: string, info: FenceInfo, colour: Highlight): string {
  const { language, firstLine, ranges, diff } = info;
  if (diff) return diffLines(html, info, colour);
  const code = colour(html, language);
  if (firstLine === null && ranges.length === 0) return code;
  const lines = splitLines(code);
  const marked = markedLines(ranges, lines.length);
  return wrapLines(lines, info, (index) => (marked[index] === true ? 'mark' : 'span'));
}

/** Highlights a diff without its signs, which are not part of the language. The signs stay in the text. */
function diffLines(html: string, info: FenceInfo, colour: Highlight): string {
  const raw = html.split('\n');
  const signs = raw.map((line) => /^(?:\+(?!\+\+ )|-(?!-- ))/.exec(line)?.[0] ?? '');
  const isPatch = /^(?:diff|patch)$/i.test(info.language);
  const bare = raw.map((line, index) => (signs[index] || line.startsWith(' ') ? line.slice(1) : line));
  const lines = isPatch ? raw : splitLines(colour(bare.join('\n'), info.language));
  const marked = markedLines(info.ranges, lines.length);
  const signOf = (index: number) => (isPatch ? '' : signs[index] || (raw[index]?.startsWith(' ') ? ' ' : ''));
  return wrapLines(
    lines.map((line, index) => `${signOf(index)}${line}`),
    info,
    (index) => {
      if (signs[index]) return signs[index] === '+' ? 'ins' : 'del';
      return marked[index] === true ? 'mark' : 'span';
    },
  );
}

/** Wraps each line in a semantic element: `ins`, `del`, `mark`, or a plain `span`. */
function wrapLines(
  lines: readonly string[],
  { firstLine }: FenceInfo,
  elementOf: (index: number) => string,
): string {
  const isEmptyEnd = lines.at(-1) === '';
  const shown = isEmptyEnd ? lines.slice(0, -1) : lines;
  const wrapped = shown.map((line, index) => {
    const number = firstLine === null ? '' : ` data-line="${firstLine + index}"`;
    const element = elementOf(index);
    return `<${element} class="line"${number}>${line}</${element}>`;
  });
  return wrapped.join('\n') + (isEmptyEnd ? '\n' : '');
}

/** For each line, whether it is in a range. Takes time linear in the lines plus the ranges. */
function markedLines(ranges: FenceInfo['ranges'], count: number): boolean[] {
  const steps = new Int32Array(count + 1);
  for (const [from, to] of ranges) {
    const first = Math.max(from, 1) - 1;
    const end = Math.min(to, count);
    if (first >= end) continue;
    steps[first] = (steps[first] ?? 0) + 1;
    steps[end] = (steps[end] ?? 0) - 1;
  }
  let depth = 0;
  return Array.from({ length: count }, (_, index) => {
    depth += steps[index] ?? 0;
    return depth > 0;
  });
}

/** Splits highlighted code at line ends. Elements that span lines are closed at each end and reopened after it. */
function splitLines(html: string): string[] {
  const lines: string[] = [];
  const open: string[] = [];
  let line = '';
  let done = 0;
  for (const { 0: piece, 1: close, 2: attributes, index } of html.matchAll(TAG)) {
    line += html.slice(done, index);
    done = index + piece.length;
    if (piece === '\n') {
      lines.push(line + '</span>'.repeat(open.length));
      line = open.join('');
      continue;
    }
    line += piece;
    if (close === '/') open.pop();
    else open.push(`<span${attributes}>`);
  }
  return [...lines, line + html.slice(done)];
}
