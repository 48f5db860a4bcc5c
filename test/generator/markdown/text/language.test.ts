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

  it.each(['', '123 !?', '🎉🎊', 'Hello, world', 'Déjà vu ĐặngăơƯ', 'naïve — “quotes” …'])(
    'the text %j does not determine a language',
    (text) => {
      expect(detectLanguage(text)).toBeNull();
    },
  );

  it('the language of a text is that of most of its letters', () => {
    expect(detectLanguage('A post in English that quotes 你好世界 and Привет once')).toBeNull();
    expect(detectLanguage('Пост на русском, где упомянуты HTML и CSS')).toBe('ru');
    expect(detectLanguage('Node.js で API サーバーを作る方法を説明します')).toBe('ja');
    expect(detectLanguage('Привет шалом שלום עולם')).toBe('ru');
    expect(detectLanguage('абв אבג ابج')).toBeNull();
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
});

describe('the direction of a language', () => {
  it('languages in right-to-left scripts run from right to left', () => {
    expect(['ar', 'he', 'fa', 'ur', 'ar-EG', 'he_IL', 'AR', 'dv'].map(directionOf)).toEqual(
      Array(8).fill('rtl'),
    );
  });

  it('all other languages run from left to right', () => {
    expect([null, 'en', 'ja', 'arn', 'hebrew', ''].map(directionOf)).toEqual(Array(6).fill('ltr'));
  });
});
