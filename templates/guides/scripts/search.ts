/** Search over the guides. Results are never parsed as HTML. */
import { excerpt, highlightMatches } from '../../../generator/search/excerpt.ts';
import type { SearchedPost } from '../../../generator/search/recent-index.ts';
import { createSectionSearch, type FoundSections } from '../../../scripts/guides/find-sections.ts';
import { findSearchPage, startSearch } from '../../scripts/search-page.ts';
import { element, marked } from '../../scripts/search-results.ts';

/** Results shown at first, and added by each press of the button. */
const PAGE = 10;

const page = findSearchPage();
if (page) startSearch(page, createResultList(page.status, page.list, page.more));

type Find = (query: string) => FoundSections;

const NOTHING: FoundSections = { query: '', isCorrected: false, isPartial: false, sections: [] };

function createResultList(status: HTMLElement, list: HTMLElement, more: HTMLButtonElement) {
  const index = list.dataset.index ?? '';
  let opened: Promise<Find> | null = null;
  let turn = 0;
  let asked = '';
  let found = NOTHING;

  const open = (): Promise<Find> => {
    opened ??= openIndex(index);
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };

  async function show(query: string): Promise<void> {
    const mine = ++turn;
    try {
      const find = query ? await open() : null;
      if (mine !== turn) return;
      asked = query;
      found = find?.(query) ?? NOTHING;
      list.replaceChildren();
      extend();
    } catch {
      if (mine === turn) status.textContent = 'The search could not be loaded. Please try again.';
    }
  }

  function extend(): void {
    const from = list.childElementCount;
    const { sections } = found;
    const entries = sections.slice(from, from + PAGE).map((one) => entryOf(one, list, found.query));
    list.append(...entries);
    if (from > 0) entries[0]?.querySelector('a')?.focus();
    more.hidden = list.childElementCount === sections.length;
    status.textContent = asked ? noteOn(found) + countText(sections.length, list.childElementCount) : '';
  }

  return { open, show, extend };
}

function noteOn({ query, isCorrected, isPartial, sections }: FoundSections): string {
  if (isCorrected) return `Showing results for “${query}”. `;
  return isPartial && sections.length > 0 ? 'No section has all of these words. ' : '';
}

function countText(count: number, shown: number): string {
  if (count === 0) return 'Nothing found.';
  if (shown < count) return `The best ${shown} of ${count} sections are shown.`;
  return count === 1 ? '1 section found.' : `${count} sections found.`;
}

async function openIndex(address: string): Promise<Find> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return createSectionSearch(await answer.json());
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
