import { expect, it } from 'vitest';
import { quotedName, quotedNames, shownName } from '../../generator/shown-name.ts';

it.each([
  ['title', 'title'],
  ['a b', 'a b'],
  ['日本', '日本'],
  ['a`b', 'a\\u{60}b'],
  ['a\nb\u0000', 'a\\u{a}b\\u{0}'],
  ['\u202eevil', '\\u{202e}evil'],
  ['\ud800', '\\u{d800}'],
])('a name is shown without what hides or reorders text: %j', (name, shown) => {
  expect(shownName(name)).toBe(shown);
});

it('a name is shown up to 60 characters', () => {
  expect(shownName('é'.repeat(60))).toBe('é'.repeat(60));
  expect(shownName('😀'.repeat(61))).toBe(`${'😀'.repeat(60)}…`);
  expect(shownName('a'.repeat(1_048_576))).toBe(`${'a'.repeat(60)}…`);
});

it('names are quoted', () => {
  expect([quotedName('a'), quotedNames(['a', 'b', 'c'])]).toEqual(['`a`', '`a`, `b`, and `c`']);
});
