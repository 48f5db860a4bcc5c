import { describe, expect, it } from 'vitest';
import { withBreakMarks } from '../../../generator/cards/words.ts';

/** A title with a bar at each place between two letters of its words at which a line may break. */
const breaks = (title: string, lang: string | null = 'ja') =>
  withBreakMarks(title, lang)
    .replace(/(?<=[\p{L}ー])(?=[\p{L}ー])/gu, '|')
    .replaceAll('\u2060', '');

describe('the lines of a Japanese title', () => {
  it('break between words, and not before particles and endings', () => {
    expect(breaks('日本語のテキストを組版する')).toBe('日本語の|テキストを|組版する');
  });

  it('do not break within a word of katakana', () => {
    expect(breaks('インターナショナリゼーションの違い')).toBe('インターナショナリゼーションの|違い');
  });

  it('break so where the language is known only by its kana', () => {
    expect(breaks('テキストの組版', null)).toBe('テキストの|組版');
  });

  it('break anywhere in Chinese', () => {
    expect(withBreakMarks('如何为开源项目做出贡献', 'zh')).toBe('如何为开源项目做出贡献');
  });
});
