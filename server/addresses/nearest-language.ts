import { nearestName } from '../../generator/nearest-name.ts';
import { canonicalLanguage } from './translations.ts';

/**
 * The language tag that was probably meant by a text that is none, or whose language nobody knows: the same tag with
 * hyphens (`pt_BR`), a language by its name, in English or in its own words, that of a country (`jp`), or else the one
 * whose name is nearest. Null if there is none.
 */
export function nearestLanguage(text: string): string | null {
  const named = text.toLowerCase();
  const { tagsByName, names } = languageNames();
  const byName = tagsByName.get(named) ?? hyphenated(text) ?? ofCountry(named);
  if (byName !== null) return byName;
  const near = nearestName(named.split('-')[0] ?? '', names);
  return near === null ? null : (tagsByName.get(near) ?? null);
}

/** Whether the language of a well-formed tag has a name. */
export const isKnownLanguage = (tag: string): boolean =>
  englishNames.of(new Intl.Locale(tag).language) !== undefined;

const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

function hyphenated(text: string): string | null {
  const tag = text.includes('_') ? canonicalLanguage(text.replaceAll('_', '-')) : null;
  return tag !== null && isKnownLanguage(tag) ? tag : null;
}

/** What some take for the code of a language, though it is not that of its country either. */
const MISTAKEN_CODES: ReadonlyMap<string, string> = new Map([['sp', 'es']]);

/** The language that is spoken most where a text is the code of a country. */
function ofCountry(code: string): string | null {
  const mistaken = MISTAKEN_CODES.get(code);
  if (mistaken !== undefined) return mistaken;
  if (!/^[a-z]{2}$/.test(code) || countryNames.of(code.toUpperCase()) === undefined) return null;
  const { language, region } = new Intl.Locale(`und-${code}`).maximize();
  return region === code.toUpperCase() ? language : null;
}

interface LanguageNames {
  /** Tags of two letters by the names of their languages in lower case. */
  readonly tagsByName: ReadonlyMap<string, string>;
  /** Those names, each language's own first: of two equally near ones, that is the likelier. */
  readonly names: readonly string[];
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** Computed once it is needed. */
let computed: LanguageNames | null = null;

function languageNames(): LanguageNames {
  if (computed !== null) return computed;
  const tagsByName = new Map<string, string>();
  const codes = LETTERS.flatMap((one) => LETTERS.map((other) => one + other));
  const named = codes.filter((code) => englishNames.of(code) !== undefined);
  const inOwnWords = (code: string) =>
    new Intl.DisplayNames([code, 'en'], { type: 'language', fallback: 'none' }).of(code);
  for (const nameOf of [inOwnWords, (code: string) => englishNames.of(code)]) {
    for (const code of named) {
      const name = nameOf(code)?.toLowerCase();
      if (name !== undefined && !tagsByName.has(name)) tagsByName.set(name, code);
    }
  }
  computed = { tagsByName, names: [...tagsByName.keys()] };
  return computed;
}
