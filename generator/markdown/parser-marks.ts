import { randomBytes } from 'node:crypto';

/*
 * The theme relies on ids and classes that the parser writes, for footnotes and callouts. An author's raw HTML may
 * contain the same bytes. So look-alikes are escaped in the source, then the parser's own ids and classes are marked,
 * and the sanitiser keeps only marked ones. Authors cannot guess the escape and the mark: they are random words that
 * differ from process to process, and appear in no result.
 */

const randomWord = (): string => `m${randomBytes(8).toString('hex')}`;
const ESCAPE = randomWord();

/** Prefix of the parser's own ids and classes between `markParserAttributes` and `removeMarks`. */
export const PARSER_MARK = randomWord();

/** An id or class as the parser writes it. Text cannot match: its quotation marks are entities. */
const PARSER_ATTRIBUTE = /((?:class|id)=")(?=fn-|fnref-|footnote|markdown-alert)/g;

/** Escapes raw HTML in Markdown that looks like the parser's own. */
export const escapeLookalikes = (source: string): string => source.replace(PARSER_ATTRIBUTE, `$1${ESCAPE}`);

/** Marks the parser's own ids and classes in the HTML of an escaped source. */
export function markParserAttributes(html: string): string {
  return html
    .replace(PARSER_ATTRIBUTE, `$1${PARSER_MARK}`)
    .replaceAll(
      `"${PARSER_MARK}markdown-alert markdown-alert-`,
      `"${PARSER_MARK}markdown-alert ${PARSER_MARK}markdown-alert-`,
    );
}

export const removeMarks = (html: string): string => html.replaceAll(ESCAPE, '').replaceAll(PARSER_MARK, '');
