interface Script {
  readonly lang: string;
  readonly letters: RegExp;
  /** How many letters of an alphabet one character counts for: ideographs and syllables carry more. */
  readonly weight: number;
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]+/gu;
/** Below this share of kana, a text in Han characters is Chinese with Japanese quotes. */
const JAPANESE_KANA = 0.03;

/** A script's most common language stands for all languages that use it. */
const scripts: readonly Script[] = [
  { lang: 'zh', letters: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu, weight: 2 },
  { lang: 'ko', letters: /\p{Script=Hangul}+/gu, weight: 2 },
  ...[
    { lang: 'ru', letters: /\p{Script=Cyrillic}+/gu },
    { lang: 'ar', letters: /\p{Script=Arabic}+/gu },
    { lang: 'he', letters: /\p{Script=Hebrew}+/gu },
    { lang: 'hi', letters: /\p{Script=Devanagari}+/gu },
    { lang: 'th', letters: /\p{Script=Thai}+/gu },
    { lang: 'el', letters: /\p{Script=Greek}+/gu },
    { lang: 'bn', letters: /\p{Script=Bengali}+/gu },
    { lang: 'ta', letters: /\p{Script=Tamil}+/gu },
    { lang: 'te', letters: /\p{Script=Telugu}+/gu },
    { lang: 'gu', letters: /\p{Script=Gujarati}+/gu },
    { lang: 'pa', letters: /\p{Script=Gurmukhi}+/gu },
    { lang: 'kn', letters: /\p{Script=Kannada}+/gu },
    { lang: 'ml', letters: /\p{Script=Malayalam}+/gu },
    { lang: 'si', letters: /\p{Script=Sinhala}+/gu },
    { lang: 'ka', letters: /\p{Script=Georgian}+/gu },
    { lang: 'hy', letters: /\p{Script=Armenian}+/gu },
    { lang: 'am', letters: /\p{Script=Ethiopic}+/gu },
    { lang: 'km', letters: /\p{Script=Khmer}+/gu },
    { lang: 'lo', letters: /\p{Script=Lao}+/gu },
    { lang: 'my', letters: /\p{Script=Myanmar}+/gu },
    { lang: 'bo', letters: /\p{Script=Tibetan}+/gu },
    { lang: 'dv', letters: /\p{Script=Thaana}+/gu },
  ].map((script) => ({ ...script, weight: 1 })),
];

/** What is detected in a text without letters, or without a script that has the majority: any language. */
const UNDETERMINED = 'und';

/** The language of a text of which only the script is known. */
const SOME_LATIN = 'und-Latn';

/**
 * Detects a text's language from the script of most of its letters. Returns a BCP 47 code: `und` if no script has the
 * majority; or null for Latin, which does not identify a language.
 */
export function detectLanguage(text: string): string | null {
  // Fast path: most posts have only Latin letters.
  if (!/[\u0370-\u1dff\u2c80-\ua6ff\ua960-\uffff]/.test(text)) {
    return /\p{Script=Latin}/u.test(text) ? null : UNDETERMINED;
  }
  let rest = text.replace(/[\P{L}\p{Script=Latin}]+/gu, '');
  const latin = text.replace(/\P{L}+/gu, '').length - rest.length;
  let total = latin;
  let best = { lang: '', weight: 0 };
  for (const { lang, letters, weight } of scripts) {
    if (rest.length === 0) break;
    const others = rest.replace(letters, '');
    const share = (rest.length - others.length) * weight;
    if (share > best.weight)
      best = { lang: lang === 'zh' ? chineseOrJapanese(rest, others) : lang, weight: share };
    total += share;
    rest = others;
  }
  const majority = (total + rest.length) / 2;
  if (best.weight > majority) return best.lang;
  return latin > majority ? null : UNDETERMINED;
}

/**
 * The language of a text on a blog. A script stands for all languages that use it, so the blog's own language counts if
 * it is written in the detected script: Arabic letters on a Persian blog are Persian. Latin letters are in the blog's
 * language, too, unless that is written from right to left: they would stand in the wrong direction.
 */
export function languageOf(detected: string | null, blogLanguage: string): string {
  if (detected === null) return directionOf(blogLanguage) === 'rtl' ? SOME_LATIN : blogLanguage;
  if (detected === UNDETERMINED || detected === blogLanguage) return blogLanguage;
  return scriptOf(detected) === scriptOf(blogLanguage) ? blogLanguage : detected;
}

/** The language of a post: as its author states it (`language`), or else by what its script reveals (`lang`). */
export const postLanguage = (
  { language, lang }: { readonly language?: string | null; readonly lang: string | null },
  blogLanguage: string,
): string => language ?? languageOf(lang, blogLanguage);

/** Whether only the script of a language (BCP 47) is known, or not even that. */
export const isUndetermined = (lang: string): boolean => /^und(?:-|$)/i.test(lang);

/** The Chinese scripts count as one, because a text in Han characters does not reveal which it uses. */
const scriptOf = (lang: string): string | undefined =>
  new Intl.Locale(lang).maximize().script?.replace(/^Han[st]$/, 'Hani');

/** A language's writing direction; left to right if the language is unknown. */
export function directionOf(lang: string | null): 'ltr' | 'rtl' {
  return /^(?:ar|arc|ckb|dv|fa|he|iw|ks|nqo|ps|sd|syr|ug|ur|yi)(?:[-_](?!Latn)|$)/i.test(lang ?? '')
    ? 'rtl'
    : 'ltr';
}

function chineseOrJapanese(letters: string, withoutBoth: string): string {
  const kana = letters.length - letters.replace(KANA, '').length;
  return kana >= (letters.length - withoutBoth.length) * JAPANESE_KANA ? 'ja' : 'zh';
}
