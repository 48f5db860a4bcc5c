/** Elements that stand for themselves, as WordPress lists them. */
const BLOCK =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|header|footer|nav|figure|figcaption|details|menu|summary|iframe|script|video|audio';
const STARTS_BLOCK = new RegExp(`^</?(?:${BLOCK})\\b`, 'i');
const AROUND_BLOCK = new RegExp(`(<(?:${BLOCK})\\b[^>]*>)|(</(?:${BLOCK})>)`, 'gi');

/** Elements whose line breaks are part of them. */
const PRESERVED = /<(pre|script|style|textarea)\b[\s\S]*?<\/\1>/gi;

/**
 * Makes paragraphs of the text of the classic editor, which WordPress stores with line breaks only: an empty line ends a
 * paragraph, and a line break breaks the line.
 */
export function withParagraphs(text: string): string {
  const kept: string[] = [];
  const marked = text
    .replace(/\r\n?/g, '\n')
    .replace(PRESERVED, (element) => `\n\n<pre data-kept="${kept.push(element) - 1}">\n\n`)
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(AROUND_BLOCK, (tag, opening) => (opening === undefined ? `${tag}\n\n` : `\n\n${tag}`));
  const blocks = marked.split(/\n[ \t]*\n\s*/).map((block) => block.trim());
  return blocks
    .filter((block) => block !== '')
    .map((block) => (STARTS_BLOCK.test(block) ? block : `<p>${block.replace(/\n/g, '<br>\n')}</p>`))
    .join('\n')
    .replace(/<pre data-kept="(\d+)">/g, (_, number: string) => kept[Number(number)] ?? '');
}
