import { postUrl, shownUrl } from '../addresses.ts';
import { isUndetermined, postLanguage } from '../markdown/text/language.ts';
import type { SiteBlog } from '../site/blog.ts';
import type { SitePost, Translation } from '../site/post.ts';

/** A post's translations as its page shows them, sorted by language tag. */
export interface PageTranslations {
  /** The other translations, with URLs as links on the page. */
  readonly elsewhere: readonly Translation[];
  /** Every known language, the post's own included, with absolute URLs; empty if there is no other language. */
  readonly languages: readonly Translation[];
}

/** A translation in the post's own language is shown to readers, but left out of `languages`. */
export function pageTranslations(blog: SiteBlog, post: SitePost): PageTranslations {
  // Most posts have none, and canonical language tags are slow.
  if (post.translations.length === 0) return { elsewhere: [], languages: [] };
  const own = { lang: canonical(postLanguage(post, blog.settings.language)), url: shownUrl(blog, post) };
  // A post may be among its own translations, so that all of them can share one list.
  const ownUrls = new Set([own.url, postUrl(blog.url, post.slug)]);
  const elsewhere = post.translations.filter(({ url }) => !ownUrls.has(new URL(url, blog.url).href));
  const others = elsewhere.filter(({ lang }) => lang !== own.lang);
  if (others.length === 0) return { elsewhere, languages: [] };
  const languages = isUndetermined(own.lang) ? others : [...others, own].sort(byLanguage);
  return { elsewhere, languages: absoluteTranslations(blog, languages) };
}

/** Translations with absolute URLs. */
export const absoluteTranslations = (blog: SiteBlog, translations: readonly Translation[]): Translation[] =>
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
