/**
 * Extracts text from sanitised HTML. In its canonical form (see sanitise.ts) everything between `<` and `>` is a tag,
 * so regular expressions are sufficient and run in linear time.
 */

/** Tags that do not separate words. */
const INLINE =
  /<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|picture|q|rp|rt|ruby|s|samp|small|source|span|strong|sub|sup|time|u|var|wbr)(?: [^>]*)?>/g;
const IMAGE = /<img [^>]*?(?:alt="([^"]*)"[^>]*)?>/g;
const TAG = /<[^>]*>/g;

/** Text that the pipeline adds: footnote numbers and back links. */
const FOOTNOTE_MARK = /<a [^>]*class="footnote-backref"[^>]*>.*?<\/a>|<sup class="footnote-ref">.*?<\/sup>/gs;

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** All text, code and the alternative texts of images included; white space is collapsed, entities are decoded. */
export function plainText(html: string): string {
  return textWithoutImages(html.includes('<img ') ? html.replace(IMAGE, ' $1 ') : html);
}

/** Like `plainText`, without images. */
export function textWithoutImages(html: string): string {
  return collapse(withoutFootnoteMarks(html).replace(INLINE, '').replace(TAG, ' '));
}

export function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

function withoutFootnoteMarks(html: string): string {
  return html.includes('class="footnote-') ? html.replace(FOOTNOTE_MARK, '') : html;
}

/** Decodes the only four entities of canonical HTML. */
export function unescapeText(html: string): string {
  return html.includes('&')
    ? html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
    : html;
}

function collapse(html: string): string {
  return unescapeText(html)
    .replace(/\s\s+|[^\S ]/g, ' ')
    .trim();
}
