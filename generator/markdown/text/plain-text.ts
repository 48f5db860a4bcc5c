/**
 * Reads text out of sanitised HTML. Its canonical form (see sanitise.ts) makes a tag whatever stands between `<`
 * and `>`, which is why regular expressions are enough here, and linear.
 */

/** Tags that separate nothing: what stands on either side is one word. */
const INLINE =
  /<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|picture|q|rp|rt|ruby|s|samp|small|source|span|strong|sub|sup|time|u|var|wbr)(?: [^>]*)?>/g;
const IMAGE = /<img [^>]*?(?:alt="([^"]*)"[^>]*)?>/g;
const TAG = /<[^>]*>/g;

/** Marks that the pipeline makes and that no author wrote: numbers of footnotes and the arrows back. */
const FOOTNOTE_MARK = /<a [^>]*class="footnote-backref"[^>]*>.*?<\/a>|<sup class="footnote-ref">.*?<\/sup>/gs;

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** All text, images by their alternative text, code included; white space collapsed, entities decoded. */
export function plainText(html: string): string {
  return writtenText(html.includes('<img ') ? html.replace(IMAGE, ' $1 ') : html);
}

/** As `plainText`, without images. */
export function writtenText(html: string): string {
  return collapse(withoutFootnoteMarks(html).replace(INLINE, '').replace(TAG, ' '));
}

export function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

function withoutFootnoteMarks(html: string): string {
  return html.includes('class="footnote-') ? html.replace(FOOTNOTE_MARK, '') : html;
}

/** What stands for itself in canonical HTML: its only four entities decoded. */
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
