import { describe, expect, it } from 'vitest';
import type { RecentIndex, SearchedPost } from '../../../generator/search/recent-index.ts';
import { type IndexMatches, type Results, createSearch } from '../../../generator/search/search.ts';

const post = (id: string, fields: Partial<SearchedPost> = {}): SearchedPost => ({
  id,
  slug: id,
  title: `Post ${id}`,
  description: '',
  tags: [],
  lang: null,
  publishedAt: '2026-01-01T00:00:00.000Z',
  text: '',
  ...fields,
});
const recent = (fields: Partial<RecentIndex> = {}): RecentIndex => ({ base: false, gone: [], posts: [], ...fields });

/** A base that finds these, whatever is asked, and notes which of them were loaded. */
function baseOf(posts: readonly SearchedPost[], loaded: string[] = []) {
  const results: IndexMatches = posts.map((found) => async () => {
    loaded.push(found.id);
    return found;
  });
  return async () => results;
}

async function all(results: Results): Promise<string[]> {
  const ids: string[] = [];
  while (true) {
    const next = await results.next();
    if (next.length === 0) return ids;
    ids.push(...next.map(({ id }) => id));
  }
}

const find = async (query: string, ...of: Parameters<typeof createSearch>) => all(await createSearch(...of)(query));

describe('what is recent', () => {
  const posts = [
    post('one', { title: 'On ink', text: 'Of paper and presses.', tags: ['Craft'] }),
    post('two', { title: 'Paper', text: 'Of ink.', description: 'What it is made of' }),
    post('three', { title: '東京の印刷', text: '活版について。' }),
    post('four', { title: 'عن الورق', text: 'الكتابة على المُدَوَّنَة' }),
  ];

  it.each([
    ['paper', ['two', 'one']],
    ['ink paper', ['one', 'two']],
    ['pap', ['two', 'one']],
    ['craft', ['one']],
    ['papre ink', []],
    ['presees', ['one']],
    ['印刷', ['three']],
    ['活版 東京', ['three']],
    ['المدونة', ['four']],
    ['ink absent', []],
    ['?!', []],
  ])('is searched for "%s"', async (query, ids) => {
    expect((await find(query, recent({ posts }), null)).sort()).toEqual([...ids].sort());
  });

  it('shows a post whose title has the word before one whose text has it', async () => {
    expect(await find('paper', recent({ posts }), null)).toEqual(['two', 'one']);
  });
});

describe('with a base', () => {
  it('a post that has changed is shown as it is now, and one that is gone is not shown', async () => {
    const base = baseOf([
      post('old', { title: 'Ink as it was' }),
      post('gone'),
      post('kept', { title: 'Ink' }),
    ]);
    const now = recent({ base: true, gone: ['gone'], posts: [post('old', { title: 'Ink as it is' })] });
    const results = await createSearch(now, base)('ink');
    const shown = await results.next();
    expect(shown.map(({ title }) => title).sort()).toEqual(['Ink', 'Ink as it is']);
    expect(await results.next()).toEqual([]);
  });

  it('a post that has the word no more is not found any more', async () => {
    const base = baseOf([post('changed', { title: 'Ink' })]);
    expect(
      await find('ink', recent({ base: true, posts: [post('changed', { title: 'Paper' })] }), base),
    ).toEqual([]);
  });

  it('the first of both are ranked together', async () => {
    const base = baseOf([post('title', { title: 'Ink' }), post('text', { text: 'Of ink.' })]);
    const posts = [post('fresh', { text: 'Also of ink, among other things that are of no interest here.' })];
    expect((await find('ink', recent({ base: true, posts }), base))[0]).toBe('title');
    const better = [post('fresh', { title: 'Ink', tags: ['ink'] })];
    expect(
      (
        await find('ink', recent({ base: true, posts: better }), baseOf([post('text', { text: 'Of ink.' })]))
      )[0],
    ).toBe('fresh');
  });

  it('what it finds by other forms of a word is kept, after what has the word', async () => {
    const base = baseOf([post('form', { title: 'He runs' }), post('exact', { title: 'Running' })]);
    expect(await find('running', recent({ base: true }), base)).toEqual(['exact', 'form']);
  });

  it('shows ten at a time, each once, and loads what it shows', async () => {
    const loaded: string[] = [];
    const posts = Array.from({ length: 35 }, (_, n) => post(`p${n}`, { title: `Ink ${n}` }));
    const fresh = Array.from({ length: 3 }, (_, n) => post(`f${n}`, { title: `Ink ${n}` }));
    const now = recent({ base: true, posts: fresh, gone: ['p3', 'p17'] });
    const results = await createSearch(now, baseOf(posts, loaded))('ink');
    expect(await results.next()).toHaveLength(10);
    expect(loaded.length).toBeLessThanOrEqual(20);
    const rest = await all(results);
    expect(rest).toHaveLength(35 - 2 + 3 - 10);
    expect(new Set(rest).size).toBe(rest.length);
  });

  it('is asked for words with spaces between them', async () => {
    const asked: string[] = [];
    const base = async (words: string) => {
      asked.push(words);
      return [];
    };
    await createSearch(recent({ base: true }), base)('東京で印刷 now');
    expect(asked).toEqual(['東京 京で で印 印刷 now']);
  });
});
