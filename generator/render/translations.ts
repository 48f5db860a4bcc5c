import { onBlog, postPath, type SiteBlog, type SitePost, type Translation } from '../site.ts';

/** A post's translations as its page shows them, sorted by language tag. */
export interface Translated {
  /** The other translations, with URLs as links on the page. */
  readonly elsewhere: readonly Translation[];
  /** Every language, the post's own included, with absolute URLs; empty if there is no other language. */
  readonly languages: readonly Translation[];
}

/**
 * A post whose list names the post itself takes its language from there, so that all translations can share one list.
 * Otherwise it is the language of its script or of the blog, and a translation with the same language is shown to
 * readers but left out of `languages`.
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

/** Translations with absolute URLs. */
export const absolute = (blog: SiteBlog, translations: readonly Translation[]): Translation[] =>
  translations.map(({ lang, url }) => ({ lang, url: new URL(url, blog.url).href }));

/** A language's name in that language, or else in English, and the language of that name. */
export function languageName(lang: string): { readonly name: string; readonly lang: string } {
  const names = new Intl.DisplayNames([lang, 'en'], { type: 'language' });
  const name = names.of(new Intl.Locale(lang).baseName) ?? lang;
  return { name, lang: names.resolvedOptions().locale };
}

const canonical = (lang: string): string => Intl.getCanonicalLocales(lang)[0] ?? lang;

const byLanguage = (one: Translation, other: Translation): number =>
  Number(one.lang > other.lang) - Number(one.lang < other.lang);
