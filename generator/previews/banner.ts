import { formatDay } from '../dates.ts';
import { directionOf } from '../markdown/text/language.ts';
import { escapeText } from '../markdown/text/plain-text.ts';
import { FALLBACK_LANG } from '../words/catalogues.ts';
import { wordsFor } from '../words/words.ts';

const STYLE =
  'position:sticky;top:0;z-index:10;margin:0;padding:.6em 1em;background:#1f2937;color:#fff;' +
  'font:600 15px/1.4 system-ui,sans-serif;text-align:center';

/** A banner, in the language of the page, that marks a page as a preview and shows when its link expires. */
export function previewBanner(expiresAt: string, pageLang: string): string {
  const words = wordsFor(pageLang);
  const lang = words.langOf('previewUntil');
  const text = words.text('previewUntil', { date: formatDay(expiresAt, lang) });
  return banner(lang, words.text('preview'), text);
}

/** The same on a page in a layout that is not stored. Its readers have tried the layout through the API, in English. */
export const layoutBanner = (expiresAt: string): string =>
  banner(
    FALLBACK_LANG,
    'Preview',
    `Preview: the blog in another layout. This link ends at ${expiresAt.slice(11, 16)} UTC.`,
  );

const banner = (lang: string, label: string, text: string): string =>
  `<aside lang="${lang}" dir="${directionOf(lang)}" aria-label="${escapeText(label)}" style="${STYLE}">` +
  `${escapeText(text)}</aside>`;
