// Slow: starts a whole server, and publishes posts in every script.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
});
afterAll(() => platen.close());

async function found(q: string): Promise<string[]> {
  const answer = await author.call('GET', `/search?q=${encodeURIComponent(q)}`);
  expect(answer.status, `${q}: ${answer.text}`).toBe(200);
  return answer.json.data.map(({ slug }: { slug: string }) => slug).sort();
}

describe('search in every script', () => {
  const posts = {
    han: '东京都政府发布了新的研究报告',
    kana: 'データベースを設計する',
    hangul: '한국어를 배우는 사람들',
    thai: 'ภาษาไทยไม่ยาก',
    mixed: 'iPhone15を買うための5つの理由',
    khmer: 'ភាសាខ្មែរ',
    rare: '𠮷野家の牛丼',
    hindi: 'हिन्दी में लिखना',
    arabic: 'اللُّغَة العربية',
    greek: 'Η οδός των ΘΕΩΝ',
    russian: 'Ёлка и новый год',
    accents: 'Crème brûlée à la Ångström',
    german: 'Die große Straße',
    turkish: 'İSTANBUL ışıkları',
    code: 'C++ for C# people',
  };
  beforeAll(async () => {
    for (const [slug, title] of Object.entries(posts)) await author.post({ slug, title });
  });

  it.each([
    ['东京', 'han'],
    ['研究', 'han'],
    ['报告', 'han'],
    ['告', 'han'],
    ['研究 东京', 'han'],
    ['发布研究', 'han'],
    ['データ', 'kana'],
    ['ﾃﾞｰﾀﾍﾞｰｽ', 'kana'],
    ['設計', 'kana'],
    ['データベースを設計する', 'kana'],
    ['한국어', 'hangul'],
    ['국어', 'hangul'],
    ['한국어 사람', 'hangul'],
    ['ภาษาไทย', 'thai'],
    ['ไทย', 'thai'],
    ['ยาก', 'thai'],
    ['iphone15', 'mixed'],
    ['iPhone15を', 'mixed'],
    ['理由', 'mixed'],
    ['iphone15 理由', 'mixed'],
    ['買うiphone15', 'mixed'],
    ['ភាសា', 'khmer'],
    ['𠮷野家', 'rare'],
    ['𠮷', 'rare'],
    ['हिन्दी', 'hindi'],
    ['लिख', 'hindi'],
    ['اللغة', 'arabic'],
    ['ΟΔΟΣ', 'greek'],
    ['θεών', 'greek'],
    ['елка', 'russian'],
    ['ГОД', 'russian'],
    ['creme brulee', 'accents'],
    ['CRÈME', 'accents'],
    ['cre\u0300me', 'accents'],
    ['angstrom', 'accents'],
    ['STRASSE', 'german'],
    ['große', 'german'],
    ['istanbul', 'turkish'],
    ['IŞIK', 'turkish'],
    ['c++', 'code'],
    ['C#', 'code'],
  ])('search finds words: %s', async (q, slug) => {
    expect(await found(q)).toEqual([slug]);
  });

  it.each(['京东', '家野', '어국', '設計者', 'हनद', 'd++'])(
    'search does not find words that a post lacks: %s',
    async (q) => {
      expect(await found(q)).toEqual([]);
    },
  );
});

describe('search operators in a query', () => {
  beforeAll(async () => {
    await author.post({ slug: 'apple', title: 'apple pie' });
    await author.post({ slug: 'banana', title: 'banana bread' });
    await author.post({ slug: 'operators', title: 'AND, OR, NOT and NEAR explained', tags: ['title'] });
  });

  it.each([
    ['"apple', ['apple']],
    ['"apple" "pie"', ['apple']],
    ["apple'", ['apple']],
    ['apple*', ['apple']],
    ['*apple', ['apple']],
    ['^apple', ['apple']],
    ['(apple', ['apple']],
    ['apple)', ['apple']],
    ['{title}: apple', []],
    ['title:apple', []],
    ['keys:apple', []],
    ['-apple', ['apple']],
    ['+pie', ['apple']],
    ['apple + pie', ['apple']],
    ['apple OR banana', []],
    ['apple NOT pie', []],
    ['NOT', ['operators']],
    ['OR', ['operators']],
    ['near and or', ['operators']],
    ['NEAR(apple pie, 2)', []],
    ['apple; drop table posts', []],
    ['🍎 apple 🥧', ['apple']],
    ['app\u00adle', ['apple']],
    ['apple\\', ['apple']],
    ['%apple_', ['apple']],
    ['apple, pie!', ['apple']],
  ])('a query is text, not syntax: %s', async (q, slugs) => {
    expect(await found(q)).toEqual(slugs);
  });

  it.each(['"', '""', '*', '()', '!?…', '🎉', '👩‍👩‍👧', '\u0301', '\ue000', '\u200b', '%', '---', '+', '#'])(
    'a query without a word finds nothing: %s',
    async (q) => {
      const { status, json } = await author.call('GET', `/search?q=${encodeURIComponent(q)}`);
      expect(status).toBe(200);
      expect(json).toEqual({ data: [], pagination: { page: 1, per_page: 20, total: 0, total_pages: 0 } });
    },
  );
});

describe.each(['/search', '/discover'])('the query of %s', (path) => {
  const ask = (query: string) => author.call('GET', `${path}${query}`);

  it.each(['', '?q=', '?q=%20%20', '?query=a', '?q=a&q=b', '?q[]=a', '?q=a%00b', '?q=a%0Ab'])(
    'a query must be one line of text: %s',
    async (query) => {
      expectRefusal(await ask(query), 400, /^q: /);
    },
  );

  it.each([
    ['letters', 'a'],
    ['Han', '漢'],
    ['emoji', '🎉'],
  ])('a query has at most 100 characters: %s', async (_name, character) => {
    const of = (count: number) => ask(`?q=${encodeURIComponent(character.repeat(count))}`);
    expect((await of(100)).status).toBe(200);
    expect((await ask(`?q=%20${encodeURIComponent(character.repeat(100))}%20`)).status).toBe(200);
    expectRefusal(await of(101), 400, /^q: must be at most 100 characters/);
  });

  it('a query may consist of many words', async () => {
    const words =
      'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9 漢 字 仮 名 交 じ り 文 的 一 是 了 我 不';
    expect(words.length).toBe(99);
    expect((await ask(`?q=${encodeURIComponent(words)}`)).status).toBe(200);
  });
});
