import { MarkdownRefused } from './refused.ts';

/** An upper limit for something in a text. The count may be higher than what the parser finds, but never lower. */
interface Limit<Text> {
  /** Name of the counted thing in the error message. */
  readonly name: string;
  readonly maximum: number;
  /** Must run in linear time. */
  readonly count: (text: Text) => number;
}

/** A source with the figures that several limits need, computed once. */
interface SourceFigures {
  readonly source: string;
  /** Columns of the widest possible table delimiter row; 0 if there is none. */
  readonly columns: number;
  /** Number of quote and list markers at the beginning of each line that has some. */
  readonly markers: readonly number[];
  /** Whether the source may have HTML blocks that a blank line does not end. */
  readonly hasLongHtml: boolean;
}

/**
 * Syntax that is expensive to parse, mostly in quadratic time. Each limit is far above what real posts have; the
 * figures are in docs/decisions/0009.
 */
const limits: readonly Limit<SourceFigures>[] = [
  // The sanitiser drops deeper elements.
  { name: 'quotes and lists within each other', maximum: 200, count: ({ markers }) => largest(markers) },
  // Each is a separate block at worst, and the time per block grows with their number.
  {
    name: 'paragraphs, list items, table cells and the like',
    maximum: 40_000,
    count: (surveyed) => blockCount(surveyed) + pipeCount(surveyed) + innerContainerCount(surveyed),
  },
  // Short rows are padded with empty cells, each about 150 bytes of the parser's memory.
  {
    name: 'table cells, short rows filled up',
    maximum: 500_000,
    count: ({ source, columns }) => (columns === 0 ? 0 : columns * lineCount(source)),
  },
  // The time for a padded row is quadratic in its width.
  { name: 'table columns', maximum: 500, count: ({ columns }) => columns },
  // A footnote has a back link for each reference.
  {
    name: 'footnotes and references to them',
    maximum: 10_000,
    count: ({ source }) => occurrences(source, /\[\^/g),
  },
  // The parser recurses one stack level for each.
  { name: 'e-mail addresses', maximum: 5_000, count: ({ source }) => occurrences(source, /[\w.+-]@\w/g) },
  // After a URL the parser removes them one by one, and counts all of the URL's brackets each time.
  {
    name: 'closing parentheses in a row',
    maximum: 1_000,
    count: ({ source }) => largest(measureMatches(source, CLOSING, ({ length }) => length)),
  },
  // For the end of each, the parser searches the whole paragraph or HTML block.
  {
    name: 'tags and formulas without an empty line between them (by their number times the characters)',
    maximum: 2_000_000_000,
    count: searchCost,
  },
];

/** Limits of HTML. They apply to the parser's output, which every later step reads, and to the final HTML. */
const limitsOfHtml: readonly Limit<string>[] = [
  { name: 'characters of HTML', maximum: 8_388_608, count: ({ length }) => length },
  // Code with a stack of open elements moves the whole stack for each element.
  { name: 'levels of emphasis within each other', maximum: 1_000, count: emphasisDepth },
];

/** Checks a source before it is parsed. Throws `MarkdownRefused`, whose message names the limit and the count. */
export function checkSourceLimits(source: string): void {
  checkLimits(limits, measureSource(source));
}

/** Does the same with the HTML of a source. */
export function checkHtmlLimits(html: string): void {
  checkLimits(limitsOfHtml, html);
}

function checkLimits<Text>(limits: readonly Limit<Text>[], text: Text): void {
  for (const { name, maximum: allowed, count } of limits) {
    const counted = count(text);
    if (counted > allowed) {
      throw new MarkdownRefused(
        `The post has too many ${name}: ${digits(counted)}, ${digits(allowed)} are allowed.`,
      );
    }
  }
}

const digits = (count: number) => count.toLocaleString('en');

/** A table's delimiter row, also within quotes and lists, whose markers precede it. */
const DELIMITER_ROW = /^[-|:>+*.)\d \t\v\f]+$/gm;
const MARKERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm;
const CLOSING = /\)(?:[)?!.,:*_~'"]|&\w+;)*/g;
const LONG_HTML = /<(?:[!?]|pre|script|style|textarea)/i;

/** Openings for whose end the parser searches. */
const SEARCH_START = /<|\$`/;
const EACH_SEARCH_START = new RegExp(SEARCH_START, 'g');

const FENCE = /^ {0,3}(`{3,}(?!.*`)|~{3,})/;
const PLAIN = /^ {0,3}\p{L}/u;
const BLANK = /^[ \t]*$/;

function measureSource(source: string): SourceFigures {
  return {
    source,
    columns: columnsIn(source),
    markers: measureMatches(source, MARKERS, markersIn),
    hasLongHtml: source.includes('<') && LONG_HTML.test(source),
  };
}

/** Counts lines that may begin a block, table rows included. Code and the other lines of a paragraph do not count. */
function blockCount({ source, hasLongHtml }: SourceFigures): number {
  // A fence within HTML is not a fence.
  const hasFences = !hasLongHtml;
  let count = 0;
  let fence = '';
  let inHtml = false;
  let inTable = false;
  let wasPlain = false;
  for (const line of source.split(/\r\n?|\n/)) {
    const isBlank = BLANK.test(line);
    const [opening = '', mark = ''] = hasFences && !inHtml ? (FENCE.exec(line) ?? []) : [];
    if (fence !== '') {
      if (mark.startsWith(fence) && BLANK.test(line.slice(opening.length))) fence = '';
      wasPlain = false;
      continue;
    }
    const isPlain = PLAIN.test(line);
    inTable = !isBlank && (inTable || isDelimiterRow(line));
    if (!isBlank && !(isPlain && wasPlain && !inTable)) count += 1;
    fence = mark;
    inHtml = !isBlank && (inHtml || /^ {0,3}</.test(line));
    wasPlain = isPlain;
  }
  return count;
}

function lineCount(source: string): number {
  return occurrences(source, /[^ \t\r\n][^\r\n]*/g);
}

function columnsIn(source: string): number {
  return largest(measureMatches(source, DELIMITER_ROW, columnsOf));
}

function columnsOf(row: string): number {
  return row.includes('-') ? occurrences(row.replace(/^\s*\||\|\s*$/g, ''), /\|/g) + 1 : 0;
}

const isDelimiterRow = (line: string): boolean => columnsIn(line) > 0;

function pipeCount({ source, columns }: SourceFigures): number {
  return columns < 2 ? 0 : occurrences(source, /\|/g);
}

function innerContainerCount({ markers }: SourceFigures): number {
  return markers.reduce((sum, count) => sum + count - 1, 0);
}

function markersIn(start: string): number {
  return occurrences(start, /[>*+.)-]/g);
}

function searchCost({ source, hasLongHtml }: SourceFigures): number {
  if (!SEARCH_START.test(source)) return 0;
  const sections = hasLongHtml ? [source] : source.split(/\n[ \t\r]*\n/);
  return sections.reduce((sum, stretch) => sum + occurrences(stretch, EACH_SEARCH_START) * stretch.length, 0);
}

function emphasisDepth(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, close] of html.matchAll(/<(\/?)(?:em|strong|del)>/g)) {
    depth += close === '/' ? -1 : 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

function occurrences(text: string, of: RegExp): number {
  return text.match(of)?.length ?? 0;
}

/** The results of `measure` for each match. */
function measureMatches(text: string, of: RegExp, measure: (match: string) => number): number[] {
  return (text.match(of) ?? []).map((match) => measure(match));
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((sofar, number) => Math.max(sofar, number), 0);
}
