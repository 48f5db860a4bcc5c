/** The XML declaration that begins every XML file. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for an element or a double-quoted attribute. */
export const escapeXml = (text: string): string =>
  withoutForbiddenCharacters(text).replace(/[&<>"]/g, (character) => entities[character] ?? '');

/** Wraps a text in a CDATA section: for long texts full of markup. */
export const cdata = (text: string): string =>
  `<![CDATA[${withoutForbiddenCharacters(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

/** Removes characters that XML 1.0 forbids even as references: one of them would make the whole file unreadable. */
function withoutForbiddenCharacters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
