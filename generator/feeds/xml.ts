/** What every XML file begins with. */
export const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as it stands in an element or in a double-quoted attribute. */
export const escapeXml = (text: string): string =>
  withoutUnfit(text).replace(/[&<>"]/g, (character) => entities[character] ?? '');

/** A text as it stands in an element, for what is long and full of markup. */
export const cdata = (text: string): string =>
  `<![CDATA[${withoutUnfit(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

/** Leaves out what XML 1.0 cannot hold in any form: one such character would make the whole file unreadable. */
function withoutUnfit(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
