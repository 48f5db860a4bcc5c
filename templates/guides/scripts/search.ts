/**
 * Search over the guides, at a URL that can be bookmarked (`?q=`). The index is loaded when the field gets the focus.
 * Results are never parsed as HTML.
 */
import { excerpt, highlightMatches } from '../../../generator/search/excerpt.ts';
import { createRanking } from '../../../generator/search/ranking.ts';
import type { SearchedPost } from '../../../generator/search/recent-index.ts';
import { correctedQuery, createVocabulary } from '../../../generator/search/vocabulary.ts';
import type { SearchedSection } from '../../../scripts/guides/searched-section.ts';
import { element, marked, moveByKey } from '../../scripts/search-results.ts';

const WAIT_MS = 120;
/** Results shown at first, and added by each press of the button. */
const PAGE = 10;

const form = document.querySelector<HTMLFormElement>('form.search');
const input = form?.querySelector('input');
const status = document.querySelector<HTMLElement>('.found');
const list = document.querySelector<HTMLElement>('.results');
const more = document.querySelector<HTMLButtonElement>('.more');

if (form && input && status && list && more) start(form, input, { status, list, more });

/** What was found, and by which query: another than the reader's if that found nothing and has typing errors. */
interface Found {
  readonly query: string;
  readonly sections: readonly SearchedPost[];
}

type Find = (query: string) => Found;

interface Places {
  readonly status: HTMLElement;
  readonly list: HTMLElement;
  readonly more: HTMLButtonElement;
}

function start(form: HTMLFormElement, input: HTMLInputElement, places: Places): void {
  const { list, more } = places;
  const index = list.dataset.index ?? '';
  let opened: Promise<Find> | null = null;
  let turn = 0;
  let waiting: number | undefined;
  let found: Found = { query: '', sections: [] };
  const query = () => input.value.trim();

  const open = (): Promise<Find> => {
    opened ??= openIndex(index);
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };

  async function show(): Promise<void> {
    const mine = ++turn;
    const address = new URL(location.href);
    if (query()) address.searchParams.set('q', query());
    else address.searchParams.delete('q');
    history.replaceState(null, '', address);
    try {
      const find = query() ? await open() : null;
      if (mine !== turn) return;
      found = find?.(query()) ?? { query: '', sections: [] };
      list.replaceChildren();
      extend();
    } catch {
      if (mine === turn) say(places, 'The search could not be loaded. Please try again.');
    }
  }

  function extend(): void {
    const from = list.childElementCount;
    const { sections } = found;
    const entries = sections.slice(from, from + PAGE).map((one) => entryOf(one, list, found.query));
    list.append(...entries);
    if (from > 0) entries[0]?.querySelector('a')?.focus();
    more.hidden = list.childElementCount === sections.length;
    const corrected = found.query === query() ? '' : `Showing results for “${found.query}”. `;
    say(places, query() ? corrected + countText(sections.length, list.childElementCount) : '');
  }

  more.addEventListener('click', extend);
  input.addEventListener('focus', () => void open().catch(() => {}), { once: true });
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

  form.hidden = false;
  input.value = new URL(location.href).searchParams.get('q') ?? '';
  void show();
  input.focus({ preventScroll: true });
}

function say({ status }: Places, text: string): void {
  status.textContent = text;
}

function countText(count: number, shown: number): string {
  if (count === 0) return 'Nothing found.';
  if (shown < count) return `The best ${shown} of ${count} sections are shown.`;
  return count === 1 ? '1 section found.' : `${count} sections found.`;
}

/** Sections are ranked as posts of a blog are: by heading, then guide, then text. */
async function openIndex(address: string): Promise<Find> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const sections: readonly SearchedSection[] = await answer.json();
  const posts = sections.map(({ address, guide, heading, text }) => ({
    ...{ id: address, slug: address, title: heading, description: guide, text },
    ...{ tags: [], lang: null, publishedAt: '' },
  }));
  const ranking = createRanking(posts);
  const vocabulary = createVocabulary();
  for (const post of posts) vocabulary.add(post);
  return (query) => {
    const sections = ranking.all(query);
    const corrected = sections.length > 0 ? null : correctedQuery(query, vocabulary.words());
    const better = corrected === null ? [] : ranking.all(corrected);
    return corrected !== null && better.length > 0
      ? { query: corrected, sections: better }
      : { query, sections };
  };
}

function entryOf(section: SearchedPost, { dataset }: HTMLElement, query: string): HTMLElement {
  const article = element('article', 'entry');
  const link = document.createElement('a');
  link.href = `${dataset.root}${section.slug}`;
  link.append(...marked(highlightMatches(section.title, query)));
  const heading = element('h2', '');
  heading.append(link);
  const summary = element('p', 'summary');
  summary.append(...marked(excerpt(section.text, query)));
  const guide = element('p', 'found-in');
  guide.textContent = section.description;
  article.append(heading, summary, guide);
  const item = document.createElement('li');
  item.append(article);
  return item;
}
