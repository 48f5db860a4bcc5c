import type { Heading } from '../../site/post.ts';
import { escapeText } from '../text/plain-text.ts';

const MARKER = /^\[(?:toc|\[toc\])\]$/i;
const PLACEHOLDER = '<nav class="toc" aria-label="Contents"></nav>';

/** Replaces the first `[TOC]` or `[[toc]]` line by a placeholder for the table of contents, and removes the others. */
export function createContentsPlaceholders(): (line: string) => string | null {
  let placed = false;
  return (line) => {
    if (!MARKER.test(line.trim())) return null;
    if (placed) return '';
    placed = true;
    return PLACEHOLDER;
  };
}

/** Fills the placeholder with nested links to the headings, or removes it if there are none. */
export function fillContents(html: string, headings: readonly Heading[]): string {
  if (!html.includes(PLACEHOLDER)) return html;
  const named = headings.filter(({ text }) => text !== '');
  const contents =
    named.length === 0 ? '' : PLACEHOLDER.replace('></nav>', () => `>${contentsList(named)}</nav>`);
  return html.replace(PLACEHOLDER, () => contents);
}

/**
 * Nested lists of links to the headings, as HTML. A heading is nested one level below the nearest preceding heading of
 * a higher rank, even if levels are skipped between them.
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
