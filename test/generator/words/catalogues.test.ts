import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { catalogueFor, readCatalogue } from '../../../generator/words/catalogues.ts';
import { formatText, numeralsOf } from '../../../generator/words/message.ts';
import { catalogueFaults } from '../../support/catalogue-faults.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'templates/words');
const langs = readdirSync(folder).map((name) => basename(name, '.json'));
const jsonOf = (lang: string): string => readFileSync(join(folder, `${lang}.json`), 'utf8');
const english: Record<string, string> = JSON.parse(jsonOf('en'));

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

test.each(langs)(
  'the words of the language "%s" are those of English, and can be said of any number',
  (lang) => {
    // As one text, a translator reads every fault on a line of its own.
    expect(catalogueFaults(lang, jsonOf(lang), english).join('\n')).toBe('');

    const names = Object.values(english).flatMap((message) => message.match(/(?<=\{)\w+(?=[,}])/g) ?? []);
    for (const [key, message] of Object.entries<string>(JSON.parse(jsonOf(lang)))) {
      for (const count of [0, 1, 2, 3, 5, 11, 21, 22, 100, 101, 1_000_000]) {
        const values = Object.fromEntries(names.map((name) => [name, count]));
        const text = formatText(message, numeralsOf(lang), values);
        expect(text.trim(), `${lang}: "${key}"`).not.toBe('');
        expect(text, `${lang}: "${key}"`).not.toMatch(/[{}#]/);
      }
    }
  },
);

describe('a translator is told', () => {
  const model = {
    archive: 'Archive',
    tags: 'Tags',
    updated: 'Updated <time>{date}</time>',
    posts: '{count, plural, one {# post} other {# posts}} found.',
  };
  const russian = {
    archive: 'Архив',
    tags: 'Метки',
    updated: 'Обновлено <time>{date}</time>',
    posts: 'Найдено: {count, plural, one {# запись} few {# записи} many {# записей} other {# записи}}.',
  };
  const { archive: _archive, ...withoutArchive } = russian;
  const told = (words: object, lang = 'ru') => catalogueFaults(lang, JSON.stringify(words, null, 2), model);
  const withPosts = (forms: string) => told({ ...russian, posts: `{count, plural, ${forms}}` });

  test('nothing about a catalogue without faults', () => {
    expect(told(russian)).toEqual([]);
    expect(told(model, 'en')).toEqual([]);
  });

  test.each([
    ['that a word is missing', withoutArchive, ['"archive" is missing; English has "Archive"']],
    [
      'which word was meant by an unknown one',
      { archiv: 'Архив', ...withoutArchive },
      [
        '"archive" is missing; English has "Archive"',
        '"archiv" is unknown: English has no such key; "archive" was meant?',
      ],
    ],
    [
      'of a word that nothing uses',
      { ...russian, zebra: 'Зебра' },
      ['"zebra" is unknown: English has no such key'],
    ],
    [
      'where a word belongs',
      { ...withoutArchive, archive: 'Архив' },
      ['"archive" is not in the order of English: it belongs before "tags"'],
    ],
    ['that a word is no text', { ...russian, tags: 3 }, ['"tags" is not a text']],
    ['that a word is empty', { ...russian, tags: ' ' }, ['"tags" is empty']],
    ['of spaces around a word', { ...russian, tags: 'Метки ' }, ['"tags" begins or ends with a space']],
  ])('%s', (_what, words, faults) => {
    expect(told(words)).toEqual(faults.map((fault) => `ru: ${fault}`));
  });

  test.each([
    [
      'which placeholder is missing and which is in its place',
      'Обновлено <time>{дата}</time>',
      [
        'lacks {date}, which English has: "Updated <time>{date}</time>"',
        'has {дата}, which English has not: "Updated <time>{date}</time>"',
      ],
    ],
    [
      'which placeholder English has not',
      'Обновлено <time>{date} {hour}</time>',
      ['has {hour}, which English has not: "Updated <time>{date}</time>"'],
    ],
    ['that a placeholder is there twice', '{date} <time>{date}</time>', ['has {date} too often']],
    [
      'which element is missing, at its beginning and at its end',
      'Обновлено {date}',
      ['<time>', '</time>'].map((tag) => `lacks ${tag}, which English has: "Updated <time>{date}</time>"`),
    ],
    [
      'that an element is not closed',
      'Обновлено <time>{date}',
      ['lacks </time>, which English has: "Updated <time>{date}</time>"'],
    ],
    [
      'that an element is closed before it is open',
      '</time>{date}<time>',
      ['closes <time> before it is open'],
    ],
    [
      'of a sign that is markup',
      'Обновлено < <time>{date}</time>',
      ['has a stray <: it belongs to no placeholder or element'],
    ],
    [
      'of a plural where English has none',
      '<time>{date, plural, one {#} few {#} many {#} other {#}}</time>',
      ['has a plural of {date}, and English has none'],
    ],
  ])('%s', (_what, updated, faults) => {
    expect(told({ ...russian, updated })).toEqual(faults.map((fault) => `ru: "updated" ${fault}`));
  });

  test.each([
    [
      'which plural form the language needs, and for which numbers',
      'one {# запись} many {# записей} other {# записи}',
      ['lacks the plural form "few", which ru has for 2, 3, 4, …'],
    ],
    [
      'which plural form the language has not',
      'one {#} two {#} few {#} many {#} other {#}',
      ['has the plural form "two", which the language has not: it has few, many, one, other'],
    ],
    [
      'that a form for several numbers does not say which',
      'one {запись} few {#} many {#} other {#}',
      ['lacks # in the plural form "one", which ru has for 1, 21, 31, …'],
    ],
    ['that a form is empty', 'one {} few {#} many {#} other {#}', ['has an empty plural form "one"']],
    [
      'of an element in a form',
      'one {<b>#</b>} few {#} many {#} other {#}',
      ['has an element in the plural form "one", where none can be'],
    ],
  ])('%s', (_what, forms, faults) => {
    expect(withPosts(forms)).toEqual(faults.map((fault) => `ru: "posts" ${fault}`));
  });

  test.each([
    'Найдено: {count}.',
    'Найдено: {count, plural, one {#} few {#} many {#} other {#}.',
    'Найдено: {count, множественное, one {#} few {#} many {#} other {#}}.',
  ])('how a plural is written in the language: not as %s', (posts) => {
    expect(told({ ...russian, posts })).toEqual([
      'ru: "posts" has no plural, or one that is not written as {count, plural, few {…} many {…} one {…} other {…}}',
    ]);
  });

  test('that a plural is that of another placeholder than in English', () => {
    expect(withPosts('one {#} few {#} many {#} other {#}')).toEqual([]);
    const posts = '{n, plural, one {#} few {#} many {#} other {#}}';
    expect(told({ ...russian, posts })).toEqual(
      [
        `lacks {count}, which English has: "${model.posts}"`,
        `has {n}, which English has not: "${model.posts}"`,
      ].map((fault) => `ru: "posts" ${fault}`),
    );
  });

  test('no fault in a form without its number where English does without it, too', () => {
    const one = { ...model, posts: '{count, plural, one {The post} other {# posts}}' };
    const own = { ...model, posts: '{count, plural, one {Le billet} many {# de billets} other {# billets}}' };
    const faults = (english: typeof model) => catalogueFaults('fr', JSON.stringify(own), english);
    expect(told(one, 'en')).toEqual([]);
    expect(faults(one)).toEqual([]);
    expect(faults(model)).toEqual(['fr: "posts" lacks # in the plural form "one", which fr has for 0, 1']);
  });

  test('that a word is there twice, of which the last would count', () => {
    const json = JSON.stringify(russian, null, 2).replace('{', '{\n  "tags": "Теги",');
    expect(catalogueFaults('ru', json, model)).toContain('ru: "tags" is there twice');
  });

  test('that a file is not JSON', () => {
    const json = JSON.stringify(russian, null, 2).replace('"Метки",', '"Метки"');
    expect(catalogueFaults('ru', json, model)).toEqual([
      expect.stringMatching(/^ru: the file is not JSON: SyntaxError: .*\(line 4 of the file\)$/),
    ]);
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
  test.each(['sw', 'tlh', 'qq', 'hi-Latn', 'fa-Latn', 'ru-Latn', 'xx', 'und', 'und-Latn'])(
    'of %s is missing',
    (tag) => {
      expect(catalogueFor(tag)).toBeNull();
    },
  );
});
