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

/**
 * The language that a post's author states: by its own field, or else by naming the post itself, by its slug, among its
 * translations, so that all of them can share one list. Null if neither does.
 */
export const statedLanguage = ({
  language,
  slug,
  translations,
}: {
  readonly language: string | null;
  readonly slug: string;
  readonly translations: Translations;
}): string | null =>
  language ?? Object.entries(translations).find(([, target]) => target === slug)?.[0] ?? null;

/** The translations of a post whose slug changes: where they name the post itself, they go on doing so. */
export const renamedTranslations = (translations: Translations, from: string, to: string): Translations =>
  Object.fromEntries(
    Object.entries(translations).map(([lang, target]) => [lang, target === from ? to : target]),
  );

/** Links to the translations for pages, in the order of their language tags. */
export const translationLinks = (translations: Translations): Translation[] =>
  Object.entries(translations)
    .map(([lang, to]) => ({ lang, url: postSlugPattern.test(to) ? postAddress(to) : new URL(to).href }))
    .sort((one, other) => Number(one.lang > other.lang) - Number(one.lang < other.lang));
