/** A tag of canonical HTML (see sanitise.ts), in which no attribute value contains `>`; or text. */
const PIECE = /<(\/?)[a-z][^>]*?(\/?)>|[^<]+/g;

/**
 * Replaces lines of top-level paragraphs: not those in a list, a quotation or an author's own element. `block` gets a
 * line as sanitised HTML and returns the block that replaces it, or null to keep it. The lines before and after a
 * replaced line stay paragraphs.
 */
export function replaceLines(html: string, block: (line: string) => string | null): string {
  return mapParagraphs(html, (content) => {
    const lines = linesOf(content);
    const blocks = lines.map((line) => block(line));
    if (blocks.every((replaced) => replaced === null)) return null;
    return joinBlocks(lines, blocks);
  });
}

/** Calls `replace` with the content of each top-level paragraph. Null keeps the paragraph. */
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

/** Splits at line ends outside inline elements, so that each line is well-formed. */
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

function joinBlocks(lines: readonly string[], blocks: readonly (string | null)[]): string {
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
