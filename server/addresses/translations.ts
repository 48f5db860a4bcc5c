import { postAddress } from '../../generator/addresses.ts';
import type { Translation } from '../../generator/site/post.ts';
import { postSlugPattern } from './slug.ts';

/**
 * Links to a post in other languages: canonical language tag -> slug of a post of the same blog, or absolute address.
 * A post stores only its own links, and nobody checks that their targets exist.
 */
export type Translations = Readonly<Record<string, string>>;

/** Canonical form of a BCP 47 language tag (`pt-br` -> `pt-BR`); null if the text is not one. */
export function canonicalLanguage(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** The language under which a post's translations name the post itself, the first of several; null if they do not. */
export const selfNamedLanguage = ({
  slug,
  translations,
}: {
  readonly slug: string;
  readonly translations: Translations;
}): string | null => Object.entries(translations).find(([, target]) => target === slug)?.[0] ?? null;

/** Links to the translations for pages, in the order of their language tags. */
export const translationLinks = (translations: Translations): Translation[] =>
  Object.entries(translations)
    .map(([lang, to]) => ({ lang, url: postSlugPattern.test(to) ? postAddress(to) : new URL(to).href }))
    .sort((one, other) => Number(one.lang > other.lang) - Number(one.lang < other.lang));
