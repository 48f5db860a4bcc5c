import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  indexedWords,
  searchedTerms,
  spaced,
  spacedQuery,
  spellings,
  unspaced,
} from '../../../generator/search/words.ts';

const asked = (query: string) =>
  searchedTerms(query).map(({ words, prefix }) => `${words.join(' ')}${prefix ? '*' : ''}`);

describe('the words of a text', () => {
  it.each([
    ['case', 'Straße STRASSE', ['strasse', 'strasse']],
    ['accents', 'Café naïve Ångström ёлка', ['cafe', 'naive', 'angstrom', 'елка']],
    ['decomposed accents', 'Cafe\u0301', ['cafe']],
    ['the Turkish i', 'İstanbul ılık', ['istanbul', 'ilik']],
    ['the final sigma', 'ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['compatibility forms', 'ＡＢＣ ﬁre', ['abc', 'fire']],
    ['vowel points', 'הַסֵּפֶר الْعَرَبِيَّة', ['הספר', 'العربية']],
    ['soft hyphens', 'auto\u00adbahn', ['autobahn']],
    ['trade marks and emoji', 'Platen™ ❤️ 🎉 1️⃣', ['platen', '1']],
  ])('words are normalised: %s', (_name, text, words) => {
    expect(indexedWords(text)).toEqual(words);
  });

  it('words keep the vowel signs of scripts in which these are letters', () => {
    expect(indexedWords('हिन्दी में')).toEqual(['हिन्दी', 'में']);
  });

  it('words keep the signs of c++ and c#, and no others', () => {
    expect(indexedWords('C++, C#! (F#) foo++ #tag a+b c+++')).toEqual('c++ c# f# foo tag a b c'.split(' '));
  });

  it.each([
    ['Han', '研究者', ['研究', '究者', '者']],
    ['beyond the basic plane', '𠮷野', ['𠮷野', '野']],
    ['kana, half-width too', 'ﾃﾞｰﾀ', ['デー', 'ータ', 'タ']],
    ['Hangul', '한국어', ['한국', '국어', '어']],
    ['Thai', 'ไทย', ['ไท', 'ทย', 'ย']],
    ['mixed with Latin', 'iPhone15を買う', ['iphone15', 'を買', '買う', 'う']],
    ['one character', '猫', ['猫']],
  ])('text in a script without spaces is split into pairs: %s', (_name, text, words) => {
    expect(indexedWords(text)).toEqual(words);
  });
});

describe('the terms of a query', () => {
  it('the last word of a query may be incomplete', () => {
    expect(asked('Static Site gen')).toEqual(['static', 'site', 'gen*']);
  });

  it('a query in a script without spaces is split by dictionary, as pairs', () => {
    expect(asked('日本語の処理')).toEqual(['日本 本語', 'の*', '処理']);
    expect(asked('ภาษาไทย')).toEqual(['ภา าษ ษา', 'ไท ทย']);
    expect(asked('iPhone15を買う')).toEqual(['iphone15', 'を*', '買う']);
    expect(asked('发布博客文章')).toEqual(['发布', '博客', '文章']);
  });

  it('every term of a query appears once', () => {
    expect(asked('one two ONE two three')).toEqual(['one', 'two', 'three*']);
  });

  it('a query without letters and digits has no terms', () => {
    for (const query of ['!?', '***', '"', '🎉', '\u0301', '— … ()', '++', '#'])
      expect(asked(query)).toEqual([]);
  });
});

it('a text is found by any part of it that begins and ends at word boundaries', () => {
  const word = fc.constantFrom(
    ...'東京都庁 データベース 研究 を 한국어 ภาษา Straße c++ node.js हिन्दी é 𠮷 1️⃣ 発 布'.split(' '),
  );
  const text = fc.array(fc.tuple(word, fc.constantFrom('', ' ', '、', '-')), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(text, fc.nat(8), (parts, from) => {
      const whole = parts.map((part) => part.join('')).join('');
      const begin = whole.split(/(?=[ 、-])/u)[from] ?? whole;
      const words = indexedWords(whole);
      for (const term of searchedTerms(begin)) {
        const last = term.words.length - 1;
        const stands = words.some((_, at) =>
          term.words.every((one, n) =>
            term.prefix && n === last ? words[at + n]?.startsWith(one) : words[at + n] === one,
          ),
        );
        expect(stands, `${term.words} of ${begin} in ${words}`).toBe(true);
      }
    }),
  );
});

describe('text with spaces added for the indexer', () => {
  it.each([
    ['東京で印刷。', '東京 京で で印 印刷 刷。 。'],
    ['Platenは速い', 'Platen \u2060 は速 速い い'],
    ['Platen は', 'Platen は'],
    ['On ink', 'On ink'],
    ['서울에서 인쇄', '서울에서 인쇄'],
  ])('spaces are added to "%s"', (text, expected) => {
    expect(spaced(text)).toBe(expected);
  });

  it.each([
    '東京で印刷する。',
    '東京',
    '都',
    '𠮷野家の𠮷',
    '「プラテン（platen）」は、板です。',
    'On ink, and 2 more.',
    '서울에서 인쇄한다.',
    'الكتابة على المدونة',
    'การพิมพ์',
    'กรุงเทพ ค้นหา ง่าย. Привет',
    '日本 東京、Markdown で書き、 API に（送る） 。',
  ])('removing the added spaces restores "%s"', (text) => {
    expect(unspaced(spaced(text))).toBe(text);
  });
});

describe('other spellings for an indexer that drops signs', () => {
  it.each([
    ['Notes on C++ and C#, F# too', ['cplusplus', 'csharp', 'fsharp']],
    ['Straße und Fußball', ['strasse', 'fussball']],
    ['Café, naïve #tag foo+bar', []],
  ])('other spellings of "%s"', (text, expected) => {
    expect(spellings(text)).toEqual(expected);
  });

  it.each([
    ['C++', 'cplusplus'],
    ['Straße', 'strasse'],
    ['東京都 Café', '東京 京都 cafe'],
    ['都', '都'],
    ['서울에서 인쇄', '서울에서 인쇄'],
  ])('the query "%s" has other spellings and spaces', (query, expected) => {
    expect(spacedQuery(query)).toBe(expected);
  });
});
