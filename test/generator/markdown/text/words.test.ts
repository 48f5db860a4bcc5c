import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords } from '../../../../generator/markdown/text/words.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
const bySegmenter = (text: string) =>
  Array.from(segmenter.segment(text)).filter(({ isWordLike }) => isWordLike).length;

describe('the number of words', () => {
  it.each([
    ['The quick, brown fox.', 4],
    ["don't can’t", 2],
    ['3.14 1,000 snake_case', 3],
    ['well-known and/or', 4],
    ['— … 🎉 *', 0],
    ['Быстрая лиса', 2],
    ['مرحبا بالعالم', 2],
    ['हिन्दी में', 2],
    ['한국어 단어', 2],
  ])('the number of words of %s is %i', (text, count) => {
    expect(countWords(text)).toBe(count);
  });

  it.each([
    '今日は良い天気です。散歩に行きましょう。',
    '今天天气很好，我们去公园。',
    'ภาษาไทยไม่เว้นวรรค',
    'React と Vue を比較',
  ])('the number of words in a script without spaces comes from a dictionary: %s', (text) => {
    expect(countWords(text)).toBe(bySegmenter(text));
    expect(countWords(text)).toBeGreaterThan(3);
  });

  it('the number of words of any Latin, Greek or Cyrillic text equals that of Intl.Segmenter', () => {
    const plain = [...'ab1.:,;\'"’- \n()/&—“', 'a_b', '1_'];
    const characters = fc.constantFrom(...plain, ...'é·αж²½€№');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: characters, maxLength: 40 }),
          fc.string({ unit: fc.constantFrom(...plain), maxLength: 40 }),
        ),
        (text) => {
          expect(countWords(text)).toBe(bySegmenter(text));
        },
      ),
      { numRuns: 4_000 },
    );
  });
});
