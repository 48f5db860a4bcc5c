import { expect, test } from 'vitest';
import { readCatalogue } from '../../../generator/words/catalogues.ts';
import { createWords, wordsFor } from '../../../generator/words/words.ts';

const links = { atom: '<a href="/feed.xml">', rss: '<a href="/rss.xml">', json: '<a href="/feed.json">' };

test('a page speaks its language, and its words need no mark', () => {
  const words = wordsFor('de-DE');
  expect(words.text('archive')).toBe('Archiv');
  expect(words.text('readingTime', { minutes: 1234 })).toBe('1.234 Min. Lesezeit');
  expect(words.langOf('archive')).toBe('de-DE');
  expect(words.mark('archive')).toEqual({});
  expect(wordsFor('de-DE')).toBe(words);
});

test('a page in a language without a catalogue speaks English, and every word says so', () => {
  for (const lang of ['sw', 'ur']) {
    const words = wordsFor(lang);
    expect(words.text('archive')).toBe('Archive');
    expect(words.text('readingTime', { minutes: 1234 })).toBe('1,234 min read');
    expect(words.langOf('archive')).toBe('en');
    expect(words.mark('archive')).toEqual({ lang: 'en', dir: 'ltr' });
  }
});

test('a word that a catalogue lacks is English, and then every word says its language', () => {
  const { archive: _missing, ...others } = readCatalogue('ar');
  const words = createWords('ar', others);
  expect(words.text('archive')).toBe('Archive');
  expect(words.mark('archive')).toEqual({ lang: 'en', dir: 'ltr' });
  expect(words.text('tags')).toBe('الوسوم');
  expect(words.mark('tags')).toEqual({ lang: 'ar', dir: 'rtl' });
});

test('a message that a catalogue lacks counts and writes numbers as English does', () => {
  const { readingTime: _time, postCount: _count, ...others } = readCatalogue('fa');
  const words = createWords('fa', others);
  expect(words.text('readingTime', { minutes: 1234 })).toBe('1,234 min read');
  // In Persian, no post at all counts as one.
  expect(words.text('postCount', { count: 0 })).toBe('0 posts');
  expect(words.text('pageNumber', { number: 12 })).toContain('۱۲');
});

test('a message that a catalogue lacks is English as HTML and for scripts, too', () => {
  const { follow: _follow, postsFound: _found, ...others } = readCatalogue('de');
  const words = createWords('de', others);
  expect(words.html('follow', links)).toBe(wordsFor('en').html('follow', links));
  expect(words.message('postsFound')).toBe(wordsFor('en').message('postsFound'));
  expect([words.langOf('postsFound'), words.langOf('follow'), words.langOf('tags')]).toEqual([
    'en',
    'en',
    'de',
  ]);
});

test('as HTML, a message has the given elements, and its text and values are escaped', () => {
  expect(wordsFor('en').html('follow', links)).toBe(
    'Follow this blog by <a href="/feed.xml">Atom</a>, <a href="/rss.xml">RSS</a> or <a href="/feed.json">JSON Feed</a>',
  );
  expect(wordsFor('en').html('movedTo', { link: '<a href="/?a&amp;b">' }, { url: '/?a&b<i>' })).toBe(
    'It is now at <a href="/?a&amp;b">/?a&amp;b&lt;i&gt;</a>.',
  );
});
