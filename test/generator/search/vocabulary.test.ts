import { describe, expect, it } from 'vitest';
import type { SearchedPost } from '../../../generator/search/recent-index.ts';
import { correctedQuery, createVocabulary, MAX_WORDS } from '../../../generator/search/vocabulary.ts';

const wordsOf = (...posts: readonly Partial<SearchedPost>[]): string[] => {
  const vocabulary = createVocabulary();
  const empty = {
    id: '',
    slug: '',
    title: '',
    description: '',
    tags: [],
    lang: null,
    publishedAt: '',
    text: '',
  };
  for (const post of posts) vocabulary.add({ ...empty, ...post });
  return vocabulary.words();
};

describe('the vocabulary of a blog', () => {
  it('has the words of titles and tags before those of texts, and frequent ones before rare ones', () => {
    const posts = [
      { title: 'Printing', text: 'Letters and presses.' },
      { tags: ['Craft'], text: 'Presses.' },
    ];
    expect(wordsOf(...posts)).toEqual(['craft', 'printing', 'presses', 'letters']);
  });

  it('has no short words, no numbers, and no words of scripts without spaces', () => {
    expect(wordsOf({ text: 'The ink of 2026 and v1000 活版印刷 인쇄소입니다 Größe' })).toEqual(['größe']);
  });

  it('has a limited size', () => {
    const letters = (n: number) =>
      n.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));
    const text = Array.from({ length: MAX_WORDS + 100 }, (_, n) => `word${letters(n)}ing`).join(' ');
    expect(wordsOf({ text })).toHaveLength(MAX_WORDS);
  });
});

describe('correcting a query', () => {
  it.each([
    ['papre', 'paper'],
    ['Papr', null],
    ['papyr', 'paper'],
    ['papprer', null],
    ['typogrphi', 'typography'],
    ['typogrph', null],
    ['tipographiy', 'typography'],
    ['tipografiy', null],
    ['paper', null],
    ['typogra', null],
    ['typogra paper', null],
    ['papre typogra', 'paper typogra'],
    ['grosze', 'größe'],
    ['活版印剧', null],
    ['', null],
  ])('"%s" becomes "%s"', (query, corrected) => {
    expect(correctedQuery(query, ['paper', 'typography', 'größe', '活版印刷'])).toBe(corrected);
  });

  it('of several words that are equally near, the most frequent is meant', () => {
    expect(correctedQuery('inkes', ['inked', 'inker'])).toBe('inked');
  });
});
