import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../generator/markdown/render.ts';

const description = (source: string) => renderMarkdown(source).description;

describe('the description of a post', () => {
  it('the description is the first paragraph as plain text on one line', () => {
    expect(description('# Title\n\nIt *is*\n`code` &amp;  more.[^1]\n\nSecond.\n\n[^1]: n')).toBe(
      'It is code & more.',
    );
  });

  it.each([
    ['images and badges', '[![build](a.svg)](/b) ![x](y.png)\n\nText.'],
    ['punctuation without a word', '\\* \\* \\*\n\nText.'],
    ['an epigraph', '> Quoted.\n\nText.'],
    ['a list', '- Item one\n\n- Item two\n\nText.'],
    ['code', '```\ncode\n```\n\nText.'],
    ['a table', '|a|\n|-|\n|b|\n\nText.'],
    ['a caption', '<figure><figcaption>\n\nCaption\n\n</figcaption></figure>\n\nText.'],
  ])('the description skips %s', (_, source) => {
    expect(description(source)).toBe('Text.');
  });

  it('the description finds a paragraph inside other markup', () => {
    expect(description('<div align="center">\n\nText.\n\n</div>')).toBe('Text.');
  });

  it.each([
    ['a quotation', '# T\n\n> Quoted.', 'Quoted.'],
    ['headings', '# One\n\n## Two', 'One Two'],
    ['list items', '- One\n- Two', 'One Two'],
    ['list items, without footnotes', '- One[^1]\n- Two\n\n[^1]: Note.', 'One Two'],
    ['code', '    let a = 1;', 'let a = 1;'],
    ['text outside any paragraph', '<div>Bare</div>', 'Bare'],
    ['the alternative text of an image', '![A cat](c.png)', 'A cat'],
    ['punctuation', '?!', '?!'],
  ])('the description falls back on %s', (_, source, expected) => {
    expect(description(source)).toBe(expected);
  });

  it('the description is cut after a word at about 155 characters', () => {
    const text = 'The quick brown fox, being lazy, jumps over well-fed dogs; '.repeat(9).trim();
    const cut = description(text);
    expect(cut).toMatch(/^[\s\S]{110,155}…$/);
    const kept = cut.slice(0, -1);
    expect(text.startsWith(kept)).toBe(true);
    expect(text.slice(kept.length)).toMatch(/^[,;]? /);
  });

  it('a description that fits is not cut', () => {
    const text = `${'word '.repeat(30)}last.`;
    expect(description(text)).toBe(text);
  });

  it.each([
    ['Japanese', '静かな湖畔の森の影からもう起きちゃいかがとカッコウが鳴く。'],
    ['Thai', 'ภาษาไทยเป็นภาษาที่มีการเขียนโดยไม่เว้นวรรคระหว่างคำ'],
    ['family emoji', '👩‍👩‍👧‍👦'],
    ['combining accents', 'e\u0301\u0323'],
  ])('the description is cut between whole characters in %s', (_, unit) => {
    const text = `あ${unit.repeat(60)}`;
    const cut = description(text);
    expect(cut.length).toBeLessThanOrEqual(156);
    expect(cut.length).toBeGreaterThan(110);
    expect(cut.endsWith('…')).toBe(true);
    const boundaries = new Set(Array.from(new Intl.Segmenter().segment(text), ({ index }) => index));
    expect(boundaries.has(cut.length - 1)).toBe(true);
  });

  it('the description of odd text is never empty', () => {
    for (const source of ['['.repeat(400), `a${'\u0301'.repeat(400)}`, 'x'.repeat(400), '&lt;'.repeat(400)]) {
      expect(description(source)).toMatch(/^.{100,155}…$/su);
    }
  });
});
