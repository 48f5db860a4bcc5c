import { expect, it } from 'vitest';
import { languageMistakes } from '../../../server/addresses/language-mistakes.ts';

const warningOf = (tag: string) => languageMistakes([['language', tag]]).first[0]?.warning;

it.each(['en', 'pt-BR', 'zh-Hant', 'yue', 'gsw', 'tlh', 'sr-Latn-RS', 'de-CH-1996'])(
  'a language that is known is no mistake: %s',
  (tag) => {
    expect(languageMistakes([['language', tag]])).toEqual({ first: [], more: 0 });
  },
);

it.each([
  ['english', 'language: `english` is no language tag that is known: did you mean `en`?'],
  ['german', 'language: `german` is no language tag that is known: did you mean `de`?'],
  ['xx', 'language: `xx` is no language tag that is known, such as en, pt-BR or ja'],
  ['zzz-DE', 'language: `zzz-DE` is no language tag that is known, such as en, pt-BR or ja'],
])('a language that nobody knows is one: %s', (tag, warning) => {
  expect(warningOf(tag)).toBe(warning);
});
