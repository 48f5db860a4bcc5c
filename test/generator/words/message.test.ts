import { describe, expect, test } from 'vitest';
import { formatPieces, formatText, numeralsOf } from '../../../generator/words/message.ts';

const english = numeralsOf('en');
const say = (message: string, values = {}, lang = 'en') => formatText(message, numeralsOf(lang), values);

describe('a message', () => {
  test.each([
    [
      'Plain, with “quotation marks”, l’apostrophe and #1',
      {},
      'Plain, with “quotation marks”, l’apostrophe and #1',
    ],
    ['Page {number}', { number: 3 }, 'Page 3'],
    ['{name} · {name}', { name: 'A {b} # <c>' }, 'A {b} # <c> · A {b} # <c>'],
    ['{n, plural, one {# post} other {# posts}} found.', { n: 1 }, '1 post found.'],
    ['{n, plural, one {# post} other {# posts}} found.', { n: 1234 }, '1,234 posts found.'],
    ['{n, plural, one {one of {all}} other {# of {all}}}', { n: 2, all: 5 }, '2 of 5'],
    ['By <a>Atom</a> or <b>RSS</b>', {}, 'By Atom or RSS'],
    ['', {}, ''],
  ])('%j with %j is %j', (message, values, text) => expect(say(message, values)).toBe(text));

  test('numbers and plurals follow the language', () => {
    const posts = '{n, plural, one {# запись} few {# записи} many {# записей} other {# записи}}';
    expect([1, 2, 5, 21, 1.5].map((n) => say(posts, { n }, 'ru'))).toEqual([
      '1 запись',
      '2 записи',
      '5 записей',
      '21 запись',
      '1,5 записи',
    ]);
    expect(say('{n}', { n: 1234 }, 'fa')).toBe('۱٬۲۳۴');
  });

  test('a form that is missing is that of other numbers', () => {
    expect(say('{n, plural, other {# x}}', { n: 1 })).toBe('1 x');
  });

  test('a missing value and an open brace are errors', () => {
    expect(() => say('Page {number}')).toThrow('{number}');
    expect(() => say('Page {number', { number: 1 })).toThrow('not closed');
  });

  test('its elements are pieces of their own', () => {
    expect(formatPieces('By <a>{name}</a>.', english, { name: '<b>' })).toEqual([
      { text: 'By ' },
      { opens: 'a' },
      { text: '' },
      { text: '<b>' },
      { text: '' },
      { closes: 'a' },
      { text: '.' },
    ]);
  });
});
