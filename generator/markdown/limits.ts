import { MarkdownRefused } from './refused.ts';

/** Something of which a text may have so much. What it counts may be more than the parser will find, never less. */
interface Limit<Text> {
  /** In the words of the refusal. */
  readonly what: string;
  readonly most: number;
  /** In time that grows with the text's length and no faster. */
  readonly count: (text: Text) => number;
}

/** A source, and what several limits ask of it, which is looked for once. */
interface Surveyed {
  readonly source: string;
  /** Of the widest row of dashes that may stand below the head of a table; 0 where there is none. */
  readonly columns: number;
  /** How many markers of quotes and lists there are at the beginning of each line that has some. */
  readonly markers: readonly number[];
  /** Whether it may have HTML that a blank line does not end. */
  readonly hasLongHtml: boolean;
}

/**
 * What costs the parser more than its share, most of it in time that grows with the square of the number. Each limit
 * is far above what posts have; the figures are in docs/decisions/0009.
 */
const limits: readonly Limit<Surveyed>[] = [
  // The sanitiser drops what lies deeper.
  { what: 'quotes and lists within each other', most: 200, count: ({ markers }) => highest(markers) },
  // Each is a block of its own at worst, and the time for a block grows with their number.
  {
    what: 'paragraphs, list items, table cells and the like',
    most: 40_000,
    count: (surveyed) => blocks(surveyed) + pipes(surveyed) + innerContainers(surveyed),
  },
  // Short rows are filled up with empty cells, each about 150 bytes of the parser's memory.
  {
    what: 'table cells, short rows filled up',
    most: 500_000,
    count: ({ source, columns }) => (columns === 0 ? 0 : columns * lines(source)),
  },
  // The time for a row that is filled up grows with the square of its width.
  { what: 'table columns', most: 500, count: ({ columns }) => columns },
  // A footnote leads back to each reference.
  {
    what: 'footnotes and references to them',
    most: 10_000,
    count: ({ source }) => occurrences(source, /\[\^/g),
  },
  // Finding one takes the parser a level of its stack.
  { what: 'e-mail addresses', most: 5_000, count: ({ source }) => occurrences(source, /[\w.+-]@\w/g) },
  // Where an address stands before them they are taken off it one by one, each time counting all its brackets.
  {
    what: 'closing parentheses in a row',
    most: 1_000,
    count: ({ source }) => highest(each(source, CLOSING, ({ length }) => length)),
  },
  // The parser looks for the end of each through all of the paragraph or the HTML that it is in.
  {
    what: 'tags and formulas without an empty line between them (by their number times the characters)',
    most: 2_000_000_000,
    count: searched,
  },
];

/** What HTML may have, first as it is parsed, which every pass reads, then in the end, when it is kept and served. */
const limitsOfHtml: readonly Limit<string>[] = [
  { what: 'characters of HTML', most: 8_388_608, count: ({ length }) => length },
  // Whoever keeps a stack of open elements moves all of it for each.
  { what: 'levels of emphasis within each other', most: 1_000, count: emphasis },
];

/** Throws `MarkdownRefused`, which says what is too much and how much may be, before the parser is given the source. */
export function refuseExcess(source: string): void {
  refuseOver(limits, survey(source));
}

/** As `refuseExcess`, of the HTML that a source has become. */
export function refuseExcessOfHtml(html: string): void {
  refuseOver(limitsOfHtml, html);
}

function refuseOver<Text>(limits: readonly Limit<Text>[], text: Text): void {
  for (const { what, most: allowed, count } of limits) {
    const counted = count(text);
    if (counted > allowed) {
      throw new MarkdownRefused(
        `The post has too many ${what}: ${digits(counted)}, ${digits(allowed)} are allowed.`,
      );
    }
  }
}

const digits = (count: number) => count.toLocaleString('en');

/** Also within quotes and lists, whose markers come before it. */
const DELIMITER_ROW = /^[-|:>+*.)\d \t\v\f]+$/gm;
const MARKERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm;
const CLOSING = /\)(?:[)?!.,:*_~'"]|&\w+;)*/g;
const LONG_HTML = /<(?:[!?]|pre|script|style|textarea)/i;

/** What the parser looks for the end of. */
const SEARCHED = /<|\$`/;
const EACH_SEARCHED = new RegExp(SEARCHED, 'g');

const FENCE = /^ {0,3}(`{3,}(?!.*`)|~{3,})/;
const PLAIN = /^ {0,3}\p{L}/u;
const BLANK = /^[ \t]*$/;

function survey(source: string): Surveyed {
  return {
    source,
    columns: columnsIn(source),
    markers: each(source, MARKERS, markersIn),
    hasLongHtml: source.includes('<') && LONG_HTML.test(source),
  };
}

/** Lines that may begin a block: not those in a fence of code, nor those that go on with a paragraph. A row of a table is one. */
function blocks({ source, hasLongHtml }: Surveyed): number {
  // What looks like a fence within HTML is none.
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

function lines(source: string): number {
  return occurrences(source, /[^ \t\r\n][^\r\n]*/g);
}

function columnsIn(source: string): number {
  return highest(each(source, DELIMITER_ROW, columnsOf));
}

function columnsOf(row: string): number {
  return row.includes('-') ? occurrences(row.replace(/^\s*\||\|\s*$/g, ''), /\|/g) + 1 : 0;
}

const isDelimiterRow = (line: string): boolean => columnsIn(line) > 0;

function pipes({ source, columns }: Surveyed): number {
  return columns < 2 ? 0 : occurrences(source, /\|/g);
}

function innerContainers({ markers }: Surveyed): number {
  return markers.reduce((sum, count) => sum + count - 1, 0);
}

function markersIn(start: string): number {
  return occurrences(start, /[>*+.)-]/g);
}

function searched({ source, hasLongHtml }: Surveyed): number {
  if (!SEARCHED.test(source)) return 0;
  const stretches = hasLongHtml ? [source] : source.split(/\n[ \t\r]*\n/);
  return stretches.reduce((sum, stretch) => sum + occurrences(stretch, EACH_SEARCHED) * stretch.length, 0);
}

function emphasis(html: string): number {
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

/** What `measure` says of each match. */
function each(text: string, of: RegExp, measure: (match: string) => number): number[] {
  return (text.match(of) ?? []).map((match) => measure(match));
}

function highest(numbers: readonly number[]): number {
  return numbers.reduce((sofar, number) => Math.max(sofar, number), 0);
}
