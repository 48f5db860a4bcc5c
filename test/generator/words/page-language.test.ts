import { expect, test } from 'vitest';
import { pageLanguage } from '../../../generator/words/page-language.ts';
import { blog, listView, notFoundView, postView, summary } from '../render/views.ts';

const blogIn = (language: string) => ({ ...blog, settings: { ...blog.settings, language } });

test('the language of a post’s page is that of its script, or else the blog’s', () => {
  expect(pageLanguage(postView({ lang: 'ja' }, blogIn('de')))).toBe('ja');
  expect(pageLanguage(postView({ lang: null }, blogIn('de')))).toBe('de');
  expect(pageLanguage(postView({ lang: null }, blogIn('ar')))).toBe('und-Latn');
});

test.each([
  ['ar', 'fa', 'fa'],
  ['ru', 'uk', 'uk'],
  ['hi', 'mr', 'mr'],
  ['zh', 'zh-TW', 'zh-TW'],
  ['ja', 'zh-TW', 'ja'],
  ['zh', 'ja', 'zh'],
  ['ar', 'fa-Latn', 'ar'],
  ['ru', 'en', 'ru'],
])('a post in the script of "%s" on a blog in "%s" is in "%s"', (lang, language, expected) => {
  expect(pageLanguage(postView({ lang }, blogIn(language)))).toBe(expected);
});

test('the language of a list is that of all its posts, or else the blog’s', () => {
  const list = (...langs: (string | null)[]) =>
    pageLanguage(listView({ blog: blogIn('de'), posts: langs.map((lang) => ({ ...summary, lang })) }));
  expect(list('ja', 'ja')).toBe('ja');
  expect(list('ja', null)).toBe('de');
  expect(list('ja', 'ar')).toBe('de');
  expect(list(null)).toBe('de');
  expect(list()).toBe('de');
});

test('every other page speaks the language of the blog', () => {
  expect(pageLanguage({ ...notFoundView, blog: blogIn('de') })).toBe('de');
});
