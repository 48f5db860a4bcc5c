import { expect, it } from 'vitest';
import { languageMistakes } from '../../../server/addresses/language-mistakes.ts';
import { language, translations } from '../../../server/addresses/schemas.ts';
import { tryParse } from '../../../server/input/parse-input.ts';

const warningOf = (tag: string) => languageMistakes([['language', tag]]).first[0]?.warning;

it.each(['en', 'pt-BR', 'zh-Hant', 'yue', 'gsw', 'tlh', 'sr-Latn-RS', 'de-CH-1996'])(
  'a language that is known is no mistake: %s',
  (tag) => {
    expect(languageMistakes([['language', tag]])).toEqual({ first: [], more: 0 });
  },
);

const NEAREST = [
  ['english', 'en'],
  ['german', 'de'],
  ['Deutsch', 'de'],
  ['deutch', 'de'],
  ['svenska', 'sv'],
  ['polski', 'pl'],
  ['norsk', 'no'],
  ['jp', 'ja'],
  ['cz', 'cs'],
  ['gr', 'el'],
  ['sp', 'es'],
  ['us', 'en'],
] as const;

it.each(NEAREST)('a language that nobody knows is one, with what was meant: %s', (tag, near) => {
  expect(warningOf(tag)).toBe(`language: is no language tag that is known: did you mean \`${near}\`?`);
});

it.each(['xx', 'zz', 'zzz-DE'])('none is near %s', (tag) => {
  expect(warningOf(tag)).toBe('language: is no language tag that is known, such as en, pt-BR or ja');
});

const RULE = 'must be a language tag (BCP 47) like en, pt-BR or ja';

it.each([
  ['Español', `${RULE}: did you mean \`es\`?`],
  ['français', `${RULE}: did you mean \`fr\`?`],
  ['Nederlands', `${RULE}: did you mean \`nl\`?`],
  ['en_US', `${RULE}: did you mean \`en-US\`?`],
  ['pt_br', `${RULE}: did you mean \`pt-BR\`?`],
  ['zz_DE', RULE],
  ['#', RULE],
])('what is no language tag is refused with what was meant: %s', (text, message) => {
  expect(tryParse(language, text, 'it').problems).toEqual([{ message: `it: ${message}` }]);
  expect(tryParse(translations, { [text]: 'a' }, 'it').problems).toEqual([{ field: text, message }]);
});
