import { onBlog, postPath, type SiteBlog, type SitePost, type Translation } from '../site.ts';

/** What a post's page tells of its translations, in the order of the language tags. */
export interface Translated {
  /** Where else the post can be read, by addresses as readers of the page follow them. */
  readonly elsewhere: readonly Translation[];
  /** Each language that it can be read in, its own as well, by absolute addresses; empty where there is no other. */
  readonly languages: readonly Translation[];
}

/**
 * A post that names itself says which language it is in, so that one list can be given to all translations. Otherwise
 * that is the language of its script or of the blog, and a translation into the same one is told to readers alone.
 */
export function translated(blog: SiteBlog, post: SitePost): Translated {
  const own = onBlog(blog, postPath(post.slug));
  const isOwn = ({ url }: Translation): boolean => new URL(url, blog.url).href === own;
  const elsewhere = post.translations.filter((one) => !isOwn(one));
  const said = post.translations.filter(isOwn);
  const self = said.length > 0 ? said : [{ lang: canonical(post.lang ?? blog.settings.language), url: own }];
  const others = elsewhere.filter(({ lang }) => !self.some((one) => one.lang === lang));
  const languages = others.length === 0 ? [] : [...others, ...self].sort(byLanguage);
  return { elsewhere, languages: absolute(blog, languages) };
}

/** Translations with addresses for whoever is not on the blog. */
export const absolute = (blog: SiteBlog, translations: readonly Translation[]): Translation[] =>
  translations.map(({ lang, url }) => ({ lang, url: new URL(url, blog.url).href }));

/** A language's name in that language, or where it is not known there in English, and which of them it is. */
export function languageName(lang: string): { readonly name: string; readonly lang: string } {
  const names = new Intl.DisplayNames([lang, 'en'], { type: 'language' });
  const name = names.of(new Intl.Locale(lang).baseName) ?? lang;
  return { name, lang: names.resolvedOptions().locale };
}

const canonical = (lang: string): string => Intl.getCanonicalLocales(lang)[0] ?? lang;

const byLanguage = (one: Translation, other: Translation): number =>
  Number(one.lang > other.lang) - Number(one.lang < other.lang);
