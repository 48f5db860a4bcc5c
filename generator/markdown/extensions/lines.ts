/** `<a …>`, `</a>` or `<br />` of canonical HTML (see sanitise.ts), where `>` never stands within a value; or text. */
const PIECE = /<(\/?)[a-z][^>]*?(\/?)>|[^<]+/g;

/**
 * Replaces lines that stand alone in a paragraph of their own depth: not in a list, a quotation or an element of the
 * author's. `block` is given such a line as sanitised HTML and answers with the block to stand in its place, or null
 * to leave it; what is before and after it stays a paragraph.
 */
export function replaceLines(html: string, block: (line: string) => string | null): string {
  return mapParagraphs(html, (content) => {
    const lines = linesOf(content);
    const blocks = lines.map((line) => block(line));
    if (blocks.every((replaced) => replaced === null)) return null;
    return joined(lines, blocks);
  });
}

/** Hands on the content of each paragraph at the top of the document, for a replacement or null. */
function mapParagraphs(html: string, replace: (content: string) => string | null): string {
  let result = '';
  let done = 0;
  let depth = 0;
  let start: number | null = null;
  for (const { 0: piece, 1: close, 2: empty, index } of html.matchAll(PIECE)) {
    if (close === undefined || empty === '/') continue;
    depth += close === '/' ? -1 : 1;
    if (depth === 1 && piece === '<p>') start = index;
    else if (depth === 0 && start !== null) {
      const replaced = replace(html.slice(start + '<p>'.length, index));
      if (replaced !== null) {
        result += html.slice(done, start) + replaced;
        done = index + piece.length;
      }
      start = null;
    }
  }
  return result + html.slice(done);
}

/** Cuts at line ends that lie in no inline element, and so leaves each line well-formed. */
function linesOf(content: string): string[] {
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  for (const { 0: piece, 1: close, 2: empty } of content.matchAll(PIECE)) {
    if (close === undefined && depth === 0) {
      const [first = '', ...others] = piece.split('\n');
      line += first;
      for (const next of others) {
        lines.push(line);
        line = next;
      }
    } else {
      line += piece;
      if (close !== undefined && empty !== '/') depth += close === '/' ? -1 : 1;
    }
  }
  return [...lines, line].map((one) => one.replace(/<br \/>$/, ''));
}

function joined(lines: readonly string[], blocks: readonly (string | null)[]): string {
  const parts: string[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) parts.push(`<p>${paragraph.join('\n')}</p>`);
    paragraph = [];
  };
  for (const [index, line] of lines.entries()) {
    const replaced = blocks[index] ?? null;
    if (replaced === null) paragraph.push(line);
    else {
      endParagraph();
      parts.push(replaced);
    }
  }
  endParagraph();
  return parts.join('\n');
}
