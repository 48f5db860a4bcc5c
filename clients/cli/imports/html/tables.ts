import type TurndownService from 'turndown';
import { addRule, type MarkdownNode } from './turndown-rule.ts';

/** Tables of one text per cell become those of GFM. Others stay HTML, which Platen keeps. */
export function addTableRules(service: TurndownService, html: (node: MarkdownNode) => string): void {
  addRule(service, ['th', 'td'], (content) => ` ${cellText(content)} |`);
  addRule(service, ['tr'], (content) => `|${content}\n`);
  addRule(service, ['thead', 'tbody', 'tfoot'], (content) => content);
  addRule(service, ['caption'], () => '');
  addRule(service, ['table'], (content, node) => {
    const rows = descendants(node).filter(({ nodeName }) => nodeName === 'TR');
    if (rows.length === 0) return '';
    return isSimple(node) ? `\n\n${withHeader(content, rows)}\n\n` : html(node);
  });
}

const cellText = (content: string): string =>
  content
    .trim()
    .replace(/\\?\n+/g, '<br>')
    .replace(/(?<!\\)\|/g, '\\|');

/** GFM has no table without a header: a first row of data gets an empty one above it. */
function withHeader(content: string, [first, ...rows]: readonly MarkdownNode[]): string {
  const lines = content.split('\n').filter((line) => line.startsWith('|'));
  const width = Math.max(...[first, ...rows].map((row) => (row === undefined ? 0 : cellsOf(row).length)));
  const cells = first === undefined ? [] : cellsOf(first);
  const marks = Array.from({ length: width }, (_, n) => markOf(cells[n]));
  const rule = `|${marks.map((mark) => ` ${mark} |`).join('')}`;
  const hasHeader = cells.length > 0 && cells.every(({ nodeName }) => nodeName === 'TH');
  const isInHead = first?.parentNode?.nodeName === 'THEAD';
  const [head = '', ...body] =
    hasHeader || isInHead ? lines : [`|${'  |'.repeat(Math.max(width, 1))}`, ...lines];
  return [head, rule, ...body].join('\n');
}

function markOf(cell: MarkdownNode | undefined): string {
  const align = cell?.getAttribute('align');
  return align === 'center' ? ':-:' : align === 'right' ? '--:' : '---';
}

const cellsOf = (row: MarkdownNode): MarkdownNode[] =>
  children(row).filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH');

const isSimple = (table: MarkdownNode): boolean =>
  descendants(table).every(
    (node) =>
      !/^(?:TABLE|UL|OL|PRE|BLOCKQUOTE|H[1-6]|HR|DETAILS|DL|CAPTION)$/.test(node.nodeName) &&
      [node.getAttribute('colspan'), node.getAttribute('rowspan')].every(
        (span) => span === null || span === '1',
      ),
  );

function children(node: MarkdownNode): MarkdownNode[] {
  const found: MarkdownNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

/** Elements below a node. */
function descendants(node: MarkdownNode): MarkdownNode[] {
  const elements = children(node).filter(({ nodeName }) => !nodeName.startsWith('#'));
  return elements.flatMap((element) => [element, ...descendants(element)]);
}
