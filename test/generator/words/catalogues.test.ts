import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { catalogueFor, readCatalogue } from '../../../generator/words/catalogues.ts';
import { formatText, numeralsOf } from '../../../generator/words/message.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'templates/words');
const langs = readdirSync(folder).map((name) => basename(name, '.json'));
const wordsIn = (lang: string): Record<string, string> =>
  JSON.parse(readFileSync(join(folder, `${lang}.json`), 'utf8'));
const english = wordsIn('en');

/** The plural in a message: `{count, plural, …}`, its forms by category, and the text around it. */
function pluralIn(message: string): { name: string; forms: Record<string, string>; around: string } | null {
  const plural = /\{(\w+), plural, ((?:\w+ \{[^{}]*\} ?)+)\}/.exec(message);
  if (plural === null) return null;
  const forms = Object.fromEntries(
    Array.from((plural[2] ?? '').matchAll(/(\w+) \{([^{}]*)\}/g), ([, category, form]) => [category, form]),
  );
  return { name: plural[1] ?? '', forms, around: message.replace(plural[0], `{${plural[1]}}`) };
}

/** Everything in a message that is not text, sorted. */
const placeholdersIn = (message: string): string[] =>
  ((pluralIn(message)?.around ?? message).match(/\{\w+\}|<\/?[a-z]+>/g) ?? []).sort();

test('there is a catalogue for each language that the theme speaks', () => {
  expect(langs).toEqual(
    expect.arrayContaining([
      'en',
      'de',
      'fr',
      'es',
      'pt',
      'ru',
      'ar',
      'he',
      'fa',
      'hi',
      'th',
      'ja',
      'ko',
      'zh',
      'zh-Hant',
    ]),
  );
  expect(langs.map((lang) => new Intl.Locale(lang).baseName)).toEqual(langs);
});

describe.each(langs)('the words of the language "%s"', (lang) => {
  const words = wordsIn(lang);

  test('they are those of English, none missing and none left over, in the same order', () => {
    expect(Object.keys(words)).toEqual(Object.keys(english));
    expect(Object.entries(words).filter(([, word]) => word.trim() !== word || word === '')).toEqual([]);
  });

  test('they have the placeholders and elements of English, and nothing that looks like one', () => {
    for (const [key, message] of Object.entries(words)) {
      expect(placeholdersIn(message), key).toEqual(placeholdersIn(english[key] ?? ''));
      expect((pluralIn(message)?.around ?? message).replace(/\{\w+\}|<\/?[a-z]+>/g, ''), key).not.toMatch(
        /[{}<>]/,
      );
      for (const tag of message.match(/<[a-z]+>/g) ?? []) {
        expect(message.indexOf(tag.replace('<', '</')), key).toBeGreaterThan(message.indexOf(tag));
      }
    }
  });

  test('their plurals have exactly the forms of the language', () => {
    const categories = [...new Intl.PluralRules(lang).resolvedOptions().pluralCategories].sort();
    for (const [key, message] of Object.entries(words)) {
      const [plural, model] = [pluralIn(message), pluralIn(english[key] ?? '')];
      expect(plural?.name, key).toBe(model?.name);
      if (plural !== null) expect(Object.keys(plural.forms).sort(), key).toEqual(categories);
    }
  });

  test('they can be said of any number', () => {
    const values = {
      alt: 'A',
      blog: 'B',
      date: 'D',
      found: 'F',
      heading: 'H',
      name: 'N',
      number: 12,
      part: 3,
      query: 'Q',
      url: 'U',
    };
    for (const message of Object.values(words)) {
      for (const count of [0, 1, 2, 3, 5, 11, 21, 22, 100, 101, 1_000_000]) {
        const text = formatText(message, numeralsOf(lang), { ...values, count, minutes: count });
        expect(text.trim()).not.toBe('');
        expect(text).not.toMatch(/[{}#]/);
      }
    }
  });
});

test('every word is used', () => {
  const code = ['generator', 'templates']
    .flatMap((name) =>
      readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(root, name, file),
      ),
    )
    .filter((file) => /\.(?:ts|svelte|svx)$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(Object.keys(english).filter((key) => !code.includes(`'${key}'`))).toEqual([]);
});

describe('the catalogue for a language tag', () => {
  test.each([
    ['en', 'en'],
    ['en-GB', 'en'],
    ['pt-BR', 'pt'],
    ['pt-PT', 'pt'],
    ['de-Latn-CH-1996', 'de'],
    ['de-u-co-phonebk', 'de'],
    ['DE', 'de'],
    ['und', 'en'],
    ['iw', 'he'],
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['zh-Hans', 'zh'],
    ['zh-SG', 'zh'],
    ['zh-Hant', 'zh-Hant'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['zh-Hant-MO', 'zh-Hant'],
  ])('of %s is %s', (tag, lang) => {
    expect(catalogueFor(tag)).toBe(readCatalogue(lang));
  });

  // In another script, or in no language that has one.
  test.each(['sw', 'tlh', 'qq', 'hi-Latn', 'fa-Latn', 'ru-Latn', 'xx'])('of %s is missing', (tag) => {
    expect(catalogueFor(tag)).toBeNull();
  });
});
