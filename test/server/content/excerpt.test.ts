import { expect, it } from 'vitest';
import { excerptOf } from '../../../server/content/excerpt.ts';

it('an excerpt of a short text is the text on one line', () => {
  expect(excerptOf('')).toBe('');
  expect(excerptOf('One.\n\n  Two.\t')).toBe('One. Two.');
  expect(excerptOf('x'.repeat(200))).toBe('x'.repeat(200));
});

it('an excerpt of a long text ends with a word at about 200 characters', () => {
  const text = 'lorem ipsum '.repeat(100);
  const excerpt = excerptOf(text);
  expect(excerpt.length).toBeGreaterThan(190);
  expect(excerpt.length).toBeLessThanOrEqual(201);
  expect(excerpt).toMatch(/^(lorem ipsum )+(lorem|lorem ipsum)…$/);
});

it.each([
  ['one endless word', 'x'.repeat(500)],
  ['no spaces', '日本語の文章。'.repeat(60)],
  ['only emoji', '👩‍👩‍👧'.repeat(100)],
  ['one letter under a tower of accents', `a${'\u0301'.repeat(900)}`],
])('an excerpt of a text with %s is cut between whole characters', (_name, text) => {
  const excerpt = excerptOf(text);
  expect(excerpt.isWellFormed()).toBe(true);
  expect(excerpt.endsWith('…')).toBe(true);
  expect(excerpt.length).toBeGreaterThan(150);
  expect(excerpt.length).toBeLessThanOrEqual(201);
  expect(text.startsWith(excerpt.slice(0, -1))).toBe(true);
});
