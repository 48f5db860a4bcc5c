/** What the search pages of blogs and of the guides share: keys that move through results, and marks in texts. */
import type { Piece } from '../../generator/search/excerpt.ts';

/** Arrow keys move from the field through the results and back; `/` and Escape move to the field. */
export function moveByKey(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const links = [...list.querySelectorAll<HTMLElement>('h2 a')];
  const stops = [input, ...links];
  const at = stops.findIndex((stop) => stop.matches(':focus'));
  const inField = document.activeElement instanceof HTMLInputElement;
  const to =
    event.key === 'ArrowDown' && at >= 0
      ? stops[at + 1]
      : event.key === 'ArrowUp' && at > 0
        ? stops[at - 1]
        : (event.key === 'Escape' && at > 0) || (event.key === '/' && !inField)
          ? input
          : undefined;
  if (!to) return;
  event.preventDefault();
  to.focus();
  if (to === input) input.select();
}

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
