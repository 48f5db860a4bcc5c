/** The search page of a blog. Results are never parsed as HTML. */
import { directionOf, postLanguage } from '../../generator/markdown/text/language.ts';
import { runningText } from '../../generator/markdown/text/running-text.ts';
import { excerpt, highlightMatches, type Piece } from '../../generator/search/excerpt.ts';
import { type PagefindFragment, postOfFragment } from '../../generator/search/pagefind-record.ts';
import type { RecentIndex, SearchedPost } from '../../generator/search/recent-index.ts';
import { createSearch, type Results, type SearchIndex } from '../../generator/search/search.ts';
import { formatText, numeralsOf } from '../../generator/words/message.ts';
import { findSearchPage, startSearch } from './search-page.ts';
import { element, marked } from './search-results.ts';

/** The part of Pagefind's module that we use. */
interface Pagefind {
  search(words: string): Promise<{ results: { data(): Promise<PagefindFragment> }[] }>;
}

const BASE = '/pagefind/pagefind.js';
const BASE_WORDS = '/pagefind/words.json';
const pageLang = document.documentElement.lang;

const page = findSearchPage();
if (page) startSearch(page, createResultList(page.status, page.list, page.more));

/**
 * What the page says about the results. The layout (`search.svelte`) gives the messages, in the language of `status`.
 */
function createSay(
  status: HTMLElement,
): (key: string, values?: Readonly<Record<string, string | number>>) => string {
  const messages: Readonly<Record<string, string>> = JSON.parse(status.dataset.messages ?? '{}');
  const numerals = numeralsOf(status.lang || pageLang);
  return (key, values) => formatText(messages[key] ?? '', numerals, values);
}

/** The results of the latest query. */
function createResultList(status: HTMLElement, list: HTMLElement, more: HTMLButtonElement) {
  let opened: Promise<Opened> | null = null;
  let turn = 0;
  let results: Results | null = null;
  let corrected: string | null = null;
  const say = createSay(status);

  const open = (): Promise<Opened> => {
    opened ??= openSearch();
    return opened;
  };

  /** `corrected` is the query that found the results, if it is not the reader's. */
  function report(shown: number, corrected: string | null, missing: Opened['missing']): void {
    more.hidden = shown === 0 || shown % 10 !== 0;
    const count = list.childElementCount;
    const found = say(count === 0 ? 'nothingFound' : more.hidden ? 'postsFound' : 'bestPosts', { count });
    // Isolated, because it may be written in the other direction.
    const forOther =
      corrected === null ? found : say('correctedSearch', { query: `\u2068${corrected}\u2069`, found });
    const key = missing();
    status.textContent = key === null ? forOther : say(key, { found: forOther });
  }

  function clear(text: string): void {
    results = null;
    list.replaceChildren();
    more.hidden = true;
    status.textContent = text;
  }

  async function show(query: string): Promise<void> {
    const mine = ++turn;
    if (!query) return clear('');
    // Shown only on a slow connection.
    const slow = setTimeout(() => mine === turn && clear(say('searching')), 500);
    try {
      const { find, missing } = await open();
      const found = await find(query);
      const posts = await found.next();
      if (mine !== turn) return;
      results = found;
      corrected = found.query === query ? null : found.query;
      list.replaceChildren(...posts.map((post) => entryOf(post, found.query)));
      report(posts.length, corrected, missing);
    } catch {
      opened = null;
      if (mine === turn) clear(say('searchFailed'));
    } finally {
      clearTimeout(slow);
    }
  }

  async function extend(): Promise<void> {
    const found = results;
    const posts = (await found?.next()) ?? [];
    if (found === null || found !== results) return;
    const entries = posts.map((post) => entryOf(post, found.query));
    list.append(...entries);
    entries[0]?.querySelector('a')?.focus();
    const { missing } = await open();
    report(posts.length, corrected, missing);
  }

  return { open, show, extend };
}

interface Opened {
  readonly find: (query: string) => Promise<Results>;
  /** The message that says what the last search left out; null if it left out nothing. */
  readonly missing: () => 'searchIncomplete' | 'searchLags' | null;
}

async function openSearch(): Promise<Opened> {
  // Always revalidated: this file has the latest changes.
  const answer = await fetch('/search/recent.json', { cache: 'no-cache' });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const recent: RecentIndex = await answer.json();
  let failed = false;
  const base: SearchIndex = async (words) => {
    try {
      const pagefind: Pagefind = await import(BASE);
      const { results } = await pagefind.search(words);
      failed = false;
      return results.map((result) => async () => postOfFragment(await result.data()));
    } catch {
      failed = true;
      return [];
    }
  };
  const find = createSearch(recent, recent.base ? base : null, loadWords);
  return {
    find,
    missing() {
      if (failed || !(recent.base || recent.complete)) return 'searchIncomplete';
      return recent.complete ? null : 'searchLags';
    },
  };
}

/** Words for typing errors are not worth a failed search. */
async function loadWords(): Promise<readonly string[]> {
  try {
    const answer = await fetch(BASE_WORDS);
    return answer.ok ? await answer.json() : [];
  } catch {
    return [];
  }
}

function entryOf(post: SearchedPost, query: string): HTMLElement {
  const lang = postLanguage(post, pageLang);
  const article = element('article', 'entry');
  article.lang = lang;
  article.dir = directionOf(lang);
  const link = document.createElement('a');
  link.href = `/${post.slug}/`;
  link.append(...marked(highlightMatches(post.title, query)));
  const heading = element('h2', '');
  heading.dir = 'auto';
  heading.append(link);
  const summary = element('p', 'summary');
  summary.dir = 'auto';
  summary.append(...marked(summaryOf(post, query)));
  const meta = element('div', 'meta');
  const time = document.createElement('time');
  time.dateTime = post.publishedAt;
  time.textContent = new Intl.DateTimeFormat([lang, 'en'], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(post.publishedAt),
  );
  meta.append(time);
  article.append(heading, summary, meta);
  const item = document.createElement('li');
  item.append(article);
  return item;
}

/** The matching part of the running text. A post that matches only elsewhere, as in its code, has its description. */
function summaryOf({ text, description }: SearchedPost, query: string): Piece[] {
  const ofText = excerpt(runningText(text) || description, query);
  return description && !ofText.some(({ found }) => found) ? excerpt(description, query) : ofText;
}
