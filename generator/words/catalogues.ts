import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type english from '../../templates/words/en.json';
import { isUndetermined } from '../markdown/text/language.ts';
import { templatePath } from '../template-path.ts';

/** The name of a word or message of the theme. English has all of them. */
export type WordKey = keyof typeof english;

/** The words of one language. Some may be missing. */
export type Catalogue = Readonly<Partial<Record<WordKey, string>>>;

/** The language of words that have no translation. */
export const FALLBACK_LANG = 'en';

const fileOf = (lang: string): string => templatePath(`words/${lang}.json`);

let langs: ReadonlySet<string> | undefined;
const catalogues = new Map<string, Catalogue>();

/** The language tags of all catalogues. */
function catalogueLangs(): ReadonlySet<string> {
  langs ??= new Set(readdirSync(dirname(fileOf(FALLBACK_LANG))).map((name) => basename(name, '.json')));
  return langs;
}

/** The catalogue of one of `catalogueLangs`, read once. */
export function readCatalogue(lang: string): Catalogue {
  const known = catalogues.get(lang);
  if (known !== undefined) return known;
  const catalogue: Catalogue = JSON.parse(readFileSync(fileOf(lang), 'utf8'));
  catalogues.set(lang, catalogue);
  return catalogue;
}

/**
 * The catalogue for a language tag (BCP 47): of the very tag, or of its language and script (`zh-TW` is written in
 * `zh-Hant`), or of its language if that is written in the same script (`pt-BR` is `pt`, but `hi-Latn` is not `hi`).
 * Null if there is none, or if the language is not known.
 */
export function catalogueFor(lang: string): Catalogue | null {
  // Its likely language would be English, as if that were known.
  if (isUndetermined(lang)) return null;
  const { baseName } = new Intl.Locale(lang);
  const { language, script } = new Intl.Locale(baseName).maximize();
  const isUsualScript = new Intl.Locale(language).maximize().script === script;
  const names = [baseName, `${language}-${script}`, ...(isUsualScript ? [language] : [])];
  const found = names.find((name) => catalogueLangs().has(name));
  return found === undefined ? null : readCatalogue(found);
}
