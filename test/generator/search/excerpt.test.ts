import { describe, expect, it } from 'vitest';
import { excerpt, highlightMatches, type Piece } from '../../../generator/search/excerpt.ts';

/** Matches are shown in brackets. */
const shown = (pieces: readonly Piece[]): string =>
  pieces.map(({ text, found }) => (found ? `[${text}]` : text)).join('');

describe('highlighting of matches', () => {
  it.each([
    ['On the press', 'press', 'On the [press]'],
    ['Press, pressing & pressed', 'press', '[Press], [pressing] & [pressed]'],
    ['How a blog is published', 'publishing', 'How a blog is [published]'],
    ['Café au lait', 'cafe LAIT', '[Café] au [lait]'],
    ['C is no C++', 'zzz', 'C is no C++'],
    ['東京で印刷する', '印刷', '東京で[印刷]する'],
    ['東京都と京都', '京都', '東[京都]と[京都]'],
    ['서울에서 인쇄하다', '서울', '[서울]에서 인쇄하다'],
    ['الكتابة على المُدَوَّنَة', 'المدونة', 'الكتابة على [المُدَوَّنَة]'],
    ['<b>bold</b>', 'bold', '<b>[bold]</b>'],
    ['Anything', '', 'Anything'],
  ])('highlights in "%s" for "%s"', (text, query, expected) => {
    expect(shown(highlightMatches(text, query))).toBe(expected);
  });

  it('highlighting keeps every character of the text', () => {
    const text = 'A 日本語の text, مُدَوَّنَة, 😀 and é.';
    for (const query of ['日本', 'text', 'a', 'مدونة', '語の text'])
      expect(
        highlightMatches(text, query)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
  });
});

describe('the excerpt of a search result', () => {
  const long = `${'Nothing of note stands here. '.repeat(20)}Then a platen presses the paper. ${'More follows. '.repeat(30)}`;

  it('an excerpt is the part of a text that holds the words, cut between words', () => {
    const text = shown(excerpt(long, 'platen paper'));
    expect(text).toContain('Then a [platen] presses the [paper].');
    expect(text).toMatch(/^… \S/);
    expect(text).toMatch(/\S …$/);
    expect(text.length).toBeLessThan(220);
  });

  it('an excerpt prefers a part where different words are close together', () => {
    const text = `press ${'x '.repeat(300)}press paper ${'y '.repeat(300)}`;
    expect(shown(excerpt(text, 'press paper'))).toContain('[press] [paper]');
  });

  it('an excerpt is the beginning if nothing matches, and the whole of a short text', () => {
    expect(shown(excerpt(long, 'absent'))).toMatch(/^Nothing of note.* …$/);
    expect(shown(excerpt('A short text.', 'short'))).toBe('A [short] text.');
    expect(excerpt('', 'x')).toEqual([]);
  });

  it('an excerpt is cut between whole characters', () => {
    const text = '😀'.repeat(400);
    expect(shown(excerpt(text, 'x')).isWellFormed()).toBe(true);
    expect(shown(excerpt(`x${text}`, 'x')).isWellFormed()).toBe(true);
  });
});
