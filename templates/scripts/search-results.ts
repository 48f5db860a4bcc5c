/** Elements of search results, with marks in texts. */
import type { Piece } from '../../generator/search/excerpt.ts';

export function element(name: string, className: string): HTMLElement {
  const made = document.createElement(name);
  if (className) made.className = className;
  return made;
}

export const marked = (pieces: readonly Piece[]): (string | HTMLElement)[] =>
  pieces.map(({ text, found }) => {
    if (!found) return text;
    const mark = document.createElement('mark');
    mark.textContent = text;
    return mark;
  });
