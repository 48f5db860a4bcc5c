import { describe, expect, it } from 'vitest';
import { withBreakMarks } from '../../../generator/cards/card-text.ts';

/** The title with a bar at each place between two letters at which a line may break. */
const breaks = (title: string, lang: string | null = 'ja') =>
  withBreakMarks(title, lang)
    .replace(/(?<=[\p{L}ー])(?=[\p{L}ー])/gu, '|')
    .replaceAll('\u2060', '');

describe('line breaks in a Japanese title', () => {
  it('lines of a Japanese title break between words, and not before particles and endings', () => {
    expect(breaks('日本語のテキストを組版する')).toBe('日本語の|テキストを|組版する');
  });

  it('lines of a Japanese title do not break within a katakana word', () => {
    expect(breaks('インターナショナリゼーションの違い')).toBe('インターナショナリゼーションの|違い');
  });

  it('kana alone make a title without a language break as Japanese', () => {
    expect(breaks('テキストの組版', null)).toBe('テキストの|組版');
  });

  it('lines of a Chinese title break anywhere', () => {
    expect(withBreakMarks('如何为开源项目做出贡献', 'zh')).toBe('如何为开源项目做出贡献');
  });
});
