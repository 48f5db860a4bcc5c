import { randomBytes } from 'node:crypto';

/*
 * Ids and classes that the parser writes mean something to readers: a footnote, a callout. An author's raw HTML may
 * hold the very same bytes. So what looks like them is spoilt in the source, then what the parser has written is
 * marked, and the sanitiser keeps what is marked. No author knows the words for it, which differ from process to
 * process and stand in no result.
 */

const word = (): string => `m${randomBytes(8).toString('hex')}`;
const SPOILT = word();

/** Stands before the ids and classes of the parser's own, between `markOwn` and `withoutMarks`. */
export const OWN = word();

/** As the parser writes it, and as no text holds it: there, quotation marks are entities. */
const LIKE_OURS = /((?:class|id)=")(?=fn-|fnref-|footnote|markdown-alert)/g;

/** Markdown in which no raw HTML looks like the parser's. */
export const spoil = (source: string): string => source.replace(LIKE_OURS, `$1${SPOILT}`);

/** Marks what the parser has written from a source that is spoilt. */
export function markOwn(html: string): string {
  return html
    .replace(LIKE_OURS, `$1${OWN}`)
    .replaceAll(`"${OWN}markdown-alert markdown-alert-`, `"${OWN}markdown-alert ${OWN}markdown-alert-`);
}

export const withoutMarks = (html: string): string => html.replaceAll(SPOILT, '').replaceAll(OWN, '');
