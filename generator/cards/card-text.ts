import { directionOf } from '../markdown/text/language.ts';

/** A text's direction. In a right-to-left language any letter of such a script decides, else the first letter. */
export function textDirection(text: string, lang: string | null): 'ltr' | 'rtl' {
  const rtl = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
  const [sample] = directionOf(lang) === 'rtl' ? [text] : (text.match(/\p{L}/u) ?? []);
  return sample !== undefined && rtl.test(sample) ? 'rtl' : 'ltr';
}

/**
 * Adds invisible marks: break opportunities and joiners in scripts whose words satori's line breaker does not know, and
 * a direction mark after names like C++, whose signs would otherwise move to the wrong side in right-to-left text.
 */
export function withBreakMarks(text: string, lang: string | null): string {
  const isJapanese = lang?.split('-')[0] === 'ja' || /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  return (isJapanese ? text.replace(JAPANESE, joinJapaneseWords) : text)
    .replace(/(?<=\p{Script=Hangul})(?=\p{Script=Hangul})/gu, '\u2060')
    .replace(/\p{Script=Thai}+/gu, (run) =>
      Array.from(thai.segment(run), ({ segment }) => segment).join('\u200b'),
    )
    .replace(/\p{Script=Latin}[+#]+/gu, '$&\u200e');
}

const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;
/** Particles and endings belong to the word before them. */
const ENDING = /^\p{Script=Hiragana}{1,2}$/u;

/** A word boundary within katakana: the segmenter may not know the whole word. */
const KATAKANA_PAIR = /^[\p{Script=Katakana}ー]{2}$/u;

/** Japanese with joiners within its words. The line breaker itself never breaks before 。 or after 「. */
function joinJapaneseWords(run: string): string {
  return Array.from(japanese.segment(run), ({ segment, index }) => {
    const word = [...segment].join('\u2060');
    const isEnding = ENDING.test(segment) || KATAKANA_PAIR.test(run.slice(Math.max(0, index - 1), index + 1));
    return index > 0 && isEnding ? `\u2060${word}` : word;
  }).join('');
}

const japanese = new Intl.Segmenter('ja', { granularity: 'word' });
const thai = new Intl.Segmenter('th', { granularity: 'word' });

/** A timestamp's date in words (UTC, Gregorian), in English if the language is unknown; empty if it is not a date. */
export function dateInWords(timestamp: string, lang: string | null): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return '';
  const options = { dateStyle: 'long', timeZone: 'UTC', calendar: 'gregory' } as const;
  return new Intl.DateTimeFormat(isLanguageTag(lang) ? [lang, 'en'] : 'en', options).format(date);
}

function isLanguageTag(lang: string | null): lang is string {
  try {
    return lang !== null && Intl.getCanonicalLocales(lang).length > 0;
  } catch {
    return false;
  }
}

/** A name's first character in upper case; empty if it is not a letter or a digit. */
export function initialOf(name: string): string {
  const first = new Intl.Segmenter('und').segment(name).containing(0)?.segment ?? '';
  return /^[\p{L}\p{N}]/u.test(first) ? first.toUpperCase() : '';
}
