import { describe, expect, it } from 'vitest';
import { detectLanguage, directionOf, postLanguage } from '../../../../generator/markdown/text/language.ts';

describe('the language of a text', () => {
  it.each([
    ['مرحبا بالعالم', 'ar'],
    ['שלום עולם', 'he'],
    ['नमस्ते दुनिया', 'hi'],
    ['こんにちは世界', 'ja'],
    ['東京都の人口', 'ja'],
    ['안녕하세요 세계', 'ko'],
    ['你好，世界', 'zh'],
    ['สวัสดีชาวโลก', 'th'],
    ['Привет, мир', 'ru'],
    ['Γειά σου Κόσμε', 'el'],
    ['হ্যালো বিশ্ব', 'bn'],
    ['გამარჯობა', 'ka'],
    ['Բարեւ', 'hy'],
  ])('the language of %s is %s', (text, lang) => {
    expect(detectLanguage(text)).toBe(lang);
  });

  it.each(['Hello, world', 'Déjà vu ĐặngăơƯ', 'naïve — “quotes” …'])(
    'the letters of %j are Latin, which is no language',
    (text) => {
      expect(detectLanguage(text)).toBeNull();
    },
  );

  it.each(['', '123 !?', '🎉🎊', '٣', 'абв אבג ابج'])('the text %j does not determine a script', (text) => {
    expect(detectLanguage(text)).toBe('und');
  });

  it('the language of a text is that of most of its letters', () => {
    expect(detectLanguage('A post in English that quotes 你好世界 and Привет once')).toBeNull();
    expect(detectLanguage('Пост на русском, где упомянуты HTML и CSS')).toBe('ru');
    expect(detectLanguage('Node.js で API サーバーを作る方法を説明します')).toBe('ja');
    expect(detectLanguage('Привет шалом שלום עולם')).toBe('ru');
  });

  it('a Chinese text that quotes a Japanese word is Chinese', () => {
    expect(detectLanguage(`${'这是一篇关于日本文化的中文文章'.repeat(10)}「さ」`)).toBe('zh');
  });
});

describe('the language of a post', () => {
  it('what its author states counts before its script, also if the blog has the same script', () => {
    expect(postLanguage({ language: 'en', lang: null }, 'fr')).toBe('en');
    expect(postLanguage({ language: 'ar', lang: 'ar' }, 'fa')).toBe('ar');
    expect(postLanguage({ language: null, lang: 'ar' }, 'fa')).toBe('fa');
    expect(postLanguage({ lang: 'ja' }, 'fa')).toBe('ja');
  });

  it('Latin letters are in the blog’s language, unless that is written from right to left', () => {
    expect(['fr', 'ja', 'sr', 'fa-Latn'].map((own) => postLanguage({ lang: null }, own))).toEqual([
      'fr',
      'ja',
      'sr',
      'fa-Latn',
    ]);
    expect(['ar', 'he-IL', 'fa'].map((own) => postLanguage({ lang: null }, own))).toEqual(
      Array(3).fill('und-Latn'),
    );
    expect(postLanguage({ language: 'de', lang: null }, 'ar')).toBe('de');
  });

  it('a text without a script is in the blog’s language', () => {
    expect(['ar', 'fr'].map((own) => postLanguage({ lang: 'und' }, own))).toEqual(['ar', 'fr']);
  });
});

describe('the direction of a language', () => {
  it('languages in right-to-left scripts run from right to left', () => {
    expect(['ar', 'he', 'fa', 'ur', 'ar-EG', 'he_IL', 'AR', 'dv'].map(directionOf)).toEqual(
      Array(8).fill('rtl'),
    );
  });

  it('all other languages run from left to right', () => {
    expect([null, 'en', 'ja', 'arn', 'hebrew', '', 'fa-Latn', 'und-Latn'].map(directionOf)).toEqual(
      Array(8).fill('ltr'),
    );
  });
});
