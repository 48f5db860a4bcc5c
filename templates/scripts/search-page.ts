/**
 * The search pages of blogs and of the guides: they search as the reader types, at a URL that can be bookmarked
 * (`?q=`), and keys move through the results.
 */

/** Quiet time after a keystroke before a search, in milliseconds. */
const WAIT_MS = 120;

interface SearchPage {
  readonly form: HTMLFormElement;
  readonly input: HTMLInputElement;
  /** What the page says about the results. */
  readonly status: HTMLElement;
  readonly list: HTMLElement;
  /** Shows further results. */
  readonly more: HTMLButtonElement;
}

/** The parts of the page; null on a page without a search. */
export function findSearchPage(): SearchPage | null {
  const form = document.querySelector<HTMLFormElement>('form.search');
  const input = form?.querySelector('input');
  const status = document.querySelector<HTMLElement>('.found');
  const list = document.querySelector<HTMLElement>('.results');
  const more = document.querySelector<HTMLButtonElement>('.more');
  return form && input && status && list && more ? { form, input, status, list, more } : null;
}

interface Search {
  /** Loads what is searched, as soon as the reader is about to search. */
  open(): Promise<unknown>;
  /** Replaces the results; an empty query has none. */
  show(query: string): Promise<void>;
  /** Appends the next results. */
  extend(): void;
}

/** Shows the form, and the results of the query in the URL. */
export function startSearch({ form, input, list, more }: SearchPage, search: Search): void {
  let waiting: number | undefined;

  function show(): Promise<void> {
    const query = input.value.trim();
    const address = new URL(location.href);
    if (query) address.searchParams.set('q', query);
    else address.searchParams.delete('q');
    history.replaceState(null, '', address);
    return search.show(query);
  }

  function recall(): void {
    input.value = new URL(location.href).searchParams.get('q') ?? '';
    // Reserves space for results, so that nothing moves when they arrive.
    if (input.value.trim()) list.ariaBusy = 'true';
    void show().finally(() => list.removeAttribute('aria-busy'));
  }

  more.addEventListener('click', () => search.extend());
  input.addEventListener('focus', () => search.open().catch(() => {}), { once: true });
  input.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, WAIT_MS);
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    await show();
    list.querySelector('a')?.focus();
  });
  document.addEventListener('keydown', (event) => moveByKey(event, input, list));
  addEventListener('popstate', recall);

  form.hidden = false;
  recall();
  input.focus({ preventScroll: true });
}

/** Arrow keys move from the field through the results and back; `/` and Escape move to the field. */
function moveByKey(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
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
