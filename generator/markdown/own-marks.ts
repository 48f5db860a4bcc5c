import { randomBytes } from 'node:crypto';

/*
 * The theme relies on ids and classes that the parser writes, for footnotes and callouts. An author's raw HTML may
 * contain the same bytes. So look-alikes are escaped in the source, then the parser's own ids and classes are marked,
 * and the sanitiser keeps only marked ones. Authors cannot guess the escape and the mark: they are random words that
 * differ from process to process, and appear in no result.
 */

const word = (): string => `m${randomBytes(8).toString('hex')}`;
const SPOILT = word();

/** Prefix of the parser's own ids and classes between `markOwn` and `withoutMarks`. */
export const OWN = word();

/** An id or class as the parser writes it. Text cannot match: its quotation marks are entities. */
const LIKE_OURS = /((?:class|id)=")(?=fn-|fnref-|footnote|markdown-alert)/g;

/** Escapes raw HTML in Markdown that looks like the parser's own. */
export const spoil = (source: string): string => source.replace(LIKE_OURS, `$1${SPOILT}`);

/** Marks the parser's own ids and classes in the HTML of an escaped source. */
export function markOwn(html: string): string {
  return html
    .replace(LIKE_OURS, `$1${OWN}`)
    .replaceAll(`"${OWN}markdown-alert markdown-alert-`, `"${OWN}markdown-alert ${OWN}markdown-alert-`);
}

export const withoutMarks = (html: string): string => html.replaceAll(SPOILT, '').replaceAll(OWN, '');
