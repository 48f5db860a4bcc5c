import { closes, fenceOf } from '../prose.ts';

/** Names of containers in Docusaurus and VuePress, and the callouts of Platen. */
const callouts: Readonly<Record<string, string>> = {
  note: 'NOTE',
  info: 'NOTE',
  abstract: 'NOTE',
  tip: 'TIP',
  hint: 'TIP',
  success: 'TIP',
  important: 'IMPORTANT',
  warning: 'WARNING',
  warn: 'WARNING',
  attention: 'WARNING',
  caution: 'CAUTION',
  danger: 'CAUTION',
  error: 'CAUTION',
};

/** The callout of Platen for a name of another generator. */
export const calloutOf = (name: string): string | undefined => callouts[name.toLowerCase()];

/** Deepest nesting: beyond it, markers stay text. */
const MAX_DEPTH = 10;

interface Container {
  readonly colons: number;
  /** Spaces before its marker, which its lines have, too. */
  readonly indent: number;
  readonly kind: 'quote' | 'details' | 'plain';
  readonly line: number;
  readonly name: string;
}

/**
 * Turns the containers of Docusaurus and VuePress, from `:::note` to `:::`, into callouts and `details`. Of others, the
 * text stays.
 */
export function convertContainers(markdown: string, remark: (message: string, line: number) => void): string {
  if (!/^[ \t]*:::/m.test(markdown)) return markdown;
  const open: Container[] = [];
  const lines: string[] = [];
  let fence: string | undefined;
  const write = (text: string) => {
    const prefix = open.map(({ kind }) => (kind === 'quote' ? '> ' : '')).join('');
    const indent = ' '.repeat(open[0]?.indent ?? 0);
    lines.push(open.length === 0 ? text : `${indent}${prefix}${text}`.trimEnd());
  };
  for (const [at, whole] of markdown.split('\n').entries()) {
    const line = outdented(whole, open.at(-1)?.indent ?? 0);
    if (fence !== undefined) {
      if (closes(line, fence)) fence = undefined;
      write(line);
      continue;
    }
    fence = fenceOf(line);
    const found = fence === undefined ? markerOf(whole) : undefined;
    if (found?.name !== undefined && open.length < MAX_DEPTH) begin({ ...found, name: found.name }, at + 1);
    else if (found && found.name === undefined && closesOne(found.colons)) end();
    else write(line);
  }
  for (const { name, line } of open) remark(`:::${name} is never closed`, line);
  while (open.length > 0) end();
  return lines.join('\n');

  function begin({ colons, indent, name, title }: Marker & { name: string }, line: number): void {
    const callout = calloutOf(name);
    const kind = callout ? 'quote' : name === 'details' ? 'details' : 'plain';
    // What follows another paragraph would otherwise be a part of it.
    if (lines.length > 0) write('');
    open.push({ colons, indent, kind, line, name });
    if (callout) write(`[!${callout}]${title && ` ${title}`}`);
    else if (kind === 'details') {
      write(`<details><summary>${escapeHtml(title || 'Details')}</summary>`);
      write('');
    } else remark(`:::${name} is not a container that Platen has: its text stays`, line);
  }

  function closesOne(colons: number): boolean {
    return open.length > 0 && (open.at(-1)?.colons ?? 0) <= colons;
  }

  function end(): void {
    const last = open.at(-1);
    if (last?.kind === 'details') {
      write('');
      write('</details>');
    }
    open.pop();
    write('');
  }
}

interface Marker {
  readonly colons: number;
  readonly indent: number;
  readonly name: string | undefined;
  readonly title: string;
}

/** `:::note Title`, `::: tip Title`, `:::note[Title]`, `:::` */
function markerOf(line: string): Marker | undefined {
  const match =
    /^([ \t]*)(:{3,})[ \t]*(?:([a-z][\w-]*)[ \t]*(?:\[([^\]]*)\])?[ \t]*(?:\{[^}]*\})?([^{]*))?\r?$/i.exec(
      line,
    );
  if (match === null) return undefined;
  const [, indent = '', colons = '', name, bracketed, rest = ''] = match;
  return { colons: colons.length, indent: indent.length, name, title: (bracketed ?? rest).trim() };
}

const outdented = (line: string, indent: number): string => line.slice(Math.min(indent, line.search(/\S|$/)));

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A callout of Platen around Markdown. */
export function callout(kind: string, title: string, markdown: string): string {
  const lines = [`[!${kind}]${title && ` ${title}`}`, ...markdown.trim().split('\n')];
  return `\n${lines.map((text) => `> ${text}`.trimEnd()).join('\n')}\n`;
}

/** Markdown that opens on a click. */
export const details = (title: string, markdown: string): string =>
  `\n<details><summary>${escapeHtml(title || 'Details')}</summary>\n\n${markdown.trim()}\n\n</details>\n`;

/** Names something of a text that stays as it is, with its line there. */
export type Remark = (message: string, line: number) => void;
