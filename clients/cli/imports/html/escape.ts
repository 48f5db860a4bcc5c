/** Characters that HTML would take for a tag or an entity, and what GFM and Platen add to Markdown. */
const ADDED = /<(?=[a-z/!?])|&(?=#?\w{1,31};)|~|\$(?=\d)|(?<=\w):(?=\w+:)|^:(?=[\w+-]+:)/gim;

const ADDRESS = /https?:\/\/[^\s<>"']+/g;

/**
 * Text of a page so that Markdown shows it as it was. Addresses stay: an escape within would be part of them.
 *
 * @param usual what CommonMark needs
 */
export function escapeMarkdown(text: string, usual: (text: string) => string): string {
  const withEscapes = (piece: string) =>
    piece === '' ? '' : usual(piece).replace(ADDED, (found) => `\\${found}`);
  let escaped = '';
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    escaped += withEscapes(text.slice(end, index)) + address;
    end = index + address.length;
  }
  return escaped + withEscapes(text.slice(end));
}

/** Text for the value of an attribute of HTML. */
export const escapePlain = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
