import type { Heading } from '../headings.ts';
import { escapeText } from '../text/plain-text.ts';

const MARKER = /^\[(?:toc|\[toc\])\]$/i;
const PLACE = '<nav class="toc" aria-label="Contents"></nav>';

/** Keeps a place for the table of contents where the first `[TOC]` or `[[toc]]` stands alone on its line; others go. */
export function createContentsPlacer(): (line: string) => string | null {
  let placed = false;
  return (line) => {
    if (!MARKER.test(line.trim())) return null;
    if (placed) return '';
    placed = true;
    return PLACE;
  };
}

/** Fills the place with links to the headings, nested by their levels; takes it away where there are none. */
export function fillContents(html: string, headings: readonly Heading[]): string {
  if (!html.includes(PLACE)) return html;
  const named = headings.filter(({ text }) => text !== '');
  const contents = named.length === 0 ? '' : PLACE.replace('></nav>', () => `>${contentsList(named)}</nav>`);
  return html.replace(PLACE, () => contents);
}

/**
 * Lists within lists of links to the headings, as HTML. A heading opens a list within the nearest one above it that
 * ranks higher, by however many levels.
 */
export function contentsList(headings: readonly Heading[]): string {
  const open: number[] = [];
  let html = '';
  for (const { level, id, text } of headings) {
    while (level <= (open.at(-2) ?? 0)) {
      open.pop();
      html += '</li></ul>';
    }
    if (level > (open.at(-1) ?? 0)) {
      open.push(level);
      html += '<ul>';
    } else {
      open[open.length - 1] = level;
      html += '</li>';
    }
    html += `<li><a href="#${id}">${escapeText(text)}</a>`;
  }
  return html + '</li></ul>'.repeat(open.length);
}
