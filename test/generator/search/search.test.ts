import { describe, expect, it } from 'vitest';
import type { RecentIndex, SearchedPost } from '../../../generator/search/recent-index.ts';
import { createSearch, type IndexMatches, type Results } from '../../../generator/search/search.ts';

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
const recent = (fields: Partial<RecentIndex> = {}): RecentIndex => ({
  base: false,
  complete: true,
  gone: [],
  posts: [],
  ...fields,
});

/** A fake search index that finds these posts for any query and records the ones loaded. */
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

const find = async (query: string, ...of: Parameters<typeof createSearch>) =>
  all(await createSearch(...of)(query));

describe('searching the recent index', () => {
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
    ['papre ink', ['two', 'one']],
    ['presees', ['one']],
    ['preseas', []],
    ['inc', []],
    ['东京的', []],
    ['印刷', ['three']],
    ['活版 東京', ['three']],
    ['المدونة', ['four']],
    ['ink absent', []],
    ['?!', []],
  ])('the recent index is searched for "%s"', async (query, ids) => {
    expect((await find(query, recent({ posts }), null)).sort()).toEqual([...ids].sort());
  });

  it('a match in a title comes before a match in a text', async () => {
    expect(await find('paper', recent({ posts }), null)).toEqual(['two', 'one']);
  });
});

describe('searching the search index and the recent index together', () => {
  it('a changed post appears in its current version, and a deleted one does not appear', async () => {
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

  it('a post that has lost the word is not found', async () => {
    const base = baseOf([post('changed', { title: 'Ink' })]);
    expect(
      await find('ink', recent({ base: true, posts: [post('changed', { title: 'Paper' })] }), base),
    ).toEqual([]);
  });

  it('results of both indexes are ranked together', async () => {
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

  it('results with another form of the word come after exact ones', async () => {
    const base = baseOf([post('form', { title: 'He runs' }), post('exact', { title: 'Running' })]);
    expect(await find('running', recent({ base: true }), base)).toEqual(['exact', 'form']);
  });

  it('search shows ten results at a time, each once, and loads only what it shows', async () => {
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

  it('a query with typing errors is searched again in the words of the search index', async () => {
    const ink = [post('ink', { title: 'Quoins' })];
    const base = async (words: string): Promise<IndexMatches> =>
      words === 'quoins' ? ink.map((found) => async () => found) : [];
    const results = await createSearch(recent({ base: true }), base, async () => ['quoins'])('qouins');
    expect(results.query).toBe('quoins');
    expect(await all(results)).toEqual(['ink']);
  });

  it('words are not corrected while something has them as they are', async () => {
    let loads = 0;
    const words = async () => {
      loads += 1;
      return ['quoins'];
    };
    const posts = [post('typo', { title: 'Qouins' }), post('other', { title: 'Quoins' })];
    const search = createSearch(recent({ base: true, posts }), baseOf([]), words);
    const results = await search('qouins');
    expect([results.query, await all(results), loads]).toEqual(['qouins', ['typo'], 0]);
    expect((await search('nothing')).query).toBe('nothing');
  });

  it('the search index gets the query with spaces between its words', async () => {
    const asked: string[] = [];
    const base = async (words: string) => {
      asked.push(words);
      return [];
    };
    await createSearch(recent({ base: true }), base)('東京で印刷 now');
    expect(asked).toEqual(['東京 京で で印 印刷 now']);
  });
});
