import { MarkdownRefused } from './refused.ts';

/** Something of which a source may have so much. What it counts may be more than the parser will find, never less. */
interface Limit {
  /** In the words of the refusal. */
  readonly what: string;
  readonly most: number;
  /** In time that grows with the source's length and no faster. */
  readonly count: (source: string) => number;
}

/**
 * What costs the parser more than its share, each limit far above what posts have. With all that a mebibyte can hold
 * within them, the parser is done in some two seconds; the figures are in docs/decisions/0009.
 */
const limits: readonly Limit[] = [
  // The parser goes over all blocks before it for each block with text, and a cell is a block.
  { what: 'lines of text and table cells', most: 40_000, count: (source) => lines(source) + pipes(source) },
  // Short rows are filled up with empty cells, each about 150 bytes of the parser's memory.
  {
    what: 'table cells, short rows filled up',
    most: 500_000,
    count: (source) => columns(source) * lines(source),
  },
  { what: 'quotes and lists within each other', most: 500, count: nesting },
  // A footnote leads back to each reference, and each way back is looked for among all.
  { what: 'footnotes and references to them', most: 10_000, count: (source) => occurrences(source, /\[\^/g) },
  // Finding one takes the parser a level of its stack.
  { what: 'e-mail addresses', most: 5_000, count: (source) => occurrences(source, /[\w.+-]@\w/g) },
  // Where an address stands before them they are taken off it one by one, each time counting all its brackets.
  {
    what: 'closing brackets in a row',
    most: 1_000,
    count: (source) => most(source, CLOSING, ({ length }) => length),
  },
  // The parser looks for the end of each through all of the paragraph or the HTML that it is in.
  { what: 'characters to search for the ends of tags and formulas', most: 2_000_000_000, count: searched },
];

/** Throws `MarkdownRefused`, which says what is too much and how much may be, before the parser is given the source. */
export function refuseExcess(source: string): void {
  for (const { what, most: allowed, count } of limits) {
    const counted = count(source);
    if (counted > allowed) {
      throw new MarkdownRefused(`The post has too many ${what}: ${counted}, where ${allowed} are allowed.`);
    }
  }
}

/** Also within quotes and lists, whose markers come before it. */
const DELIMITER_ROW = /^[-|:>+*.)\d \t\v\f]+$/gm;
const MARKERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm;
const CLOSING = /\)(?:[)?!.,:*_~'"]|&\w+;)*/g;
/** HTML that a blank line does not end. */
const LONG_HTML = /<(?:[!?]|pre|script|style|textarea)/i;

const lines = (source: string) => occurrences(source, /\S.*/g);

const columns = (source: string) => most(source, DELIMITER_ROW, (row) => occurrences(row, /\|/g) + 1);

const pipes = (source: string) => (columns(source) < 2 ? 0 : occurrences(source, /\|/g));

function nesting(source: string): number {
  return most(source, MARKERS, (markers) => occurrences(markers, /[>*+.)-]/g));
}

function searched(source: string): number {
  const stretches = LONG_HTML.test(source) ? [source] : source.split(/\n[ \t]*\n/);
  return stretches.reduce((sum, stretch) => sum + occurrences(stretch, /<|\$`/g) * stretch.length, 0);
}

const occurrences = (source: string, of: RegExp) => source.match(of)?.length ?? 0;

const most = (source: string, of: RegExp, measure: (match: string) => number) =>
  (source.match(of) ?? []).reduce((sofar, match) => Math.max(sofar, measure(match)), 0);
