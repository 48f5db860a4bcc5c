import { LRUCache } from 'lru-cache';

const formats = {
  day: { dateStyle: 'long', timeZone: 'UTC' },
  month: { year: 'numeric', month: 'long', timeZone: 'UTC' },
} as const;

/** A timestamp's date in words, in UTC, the same on every machine. */
export const dayInWords = (moment: string, lang: string): string => inWords('day', moment.slice(0, 10), lang);

/** A month (`2026-11`) in words. */
export const monthInWords = (month: string, lang: string): string => inWords('month', `${month}-01`, lang);

/** Creating a format costs a hundred times as much as using it, and the pages of a list repeat the same dates. */
const known = new LRUCache<string, string>({ max: 2_000 });
const made = new LRUCache<string, Intl.DateTimeFormat>({ max: 50 });

function inWords(what: keyof typeof formats, date: string, lang: string): string {
  const key = `${what} ${lang} ${date}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const words = format(what, lang).format(new Date(`${date}T00:00:00Z`));
  known.set(key, words);
  return words;
}

function format(what: keyof typeof formats, lang: string): Intl.DateTimeFormat {
  const key = `${what} ${lang}`;
  const found = made.get(key) ?? new Intl.DateTimeFormat(lang, formats[what]);
  made.set(key, found);
  return found;
}
