import { nameToEmoji } from 'gemoji';

const SHORT_CODE = /:([a-z0-9_+-]+):/g;
/** Code, formulas and tags, which are skipped whole, or text. */
const PIECE = /<(code|pre|span data-math-style="[^"]*")(?: [^>]*)?>.*?<\/(?:code|pre|span)>|<[^>]*>|[^<]+/gs;

/** Replaces GitHub's emoji short codes in the text of sanitised HTML. */
export function replaceShortCodes(html: string): string {
  if (html.search(SHORT_CODE) < 0) return html;
  return html.replace(PIECE, (piece) => (piece.startsWith('<') ? piece : expandShortCodes(piece)));
}

/** The same in plain text. */
export const expandShortCodes = (text: string): string =>
  text.replace(SHORT_CODE, (code, name: string) =>
    Object.hasOwn(nameToEmoji, name) ? (nameToEmoji[name] ?? code) : code,
  );
