import type { Translation } from '../../generator/site.ts';
import { postSlugPattern } from './slug.ts';

/**
 * Where a post can be read in other languages: by language tag, in its canonical form, the slug of a post of the same
 * blog or an absolute address. A post knows what it names itself, and nobody looks whether that is there.
 */
export type Translations = Readonly<Record<string, string>>;

/** A language tag (BCP 47) as it is to be written (`pt-br` -> `pt-BR`); null for what is none. */
export function canonicalLanguage(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** The translations as pages lead to them, in the order of their tags. */
export const linksTo = (translations: Translations): Translation[] =>
  Object.entries(translations)
    .map(([lang, to]) => ({ lang, url: postSlugPattern.test(to) ? `/${to}/` : new URL(to).href }))
    .sort((one, other) => Number(one.lang > other.lang) - Number(one.lang < other.lang));
