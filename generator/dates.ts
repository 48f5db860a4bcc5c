import { LRUCache } from 'lru-cache';

const formatOptions = {
  day: { dateStyle: 'long', timeZone: 'UTC' },
  month: { year: 'numeric', month: 'long', timeZone: 'UTC' },
} as const;

/** A timestamp's date in words, in UTC, the same on every machine. */
export const formatDay = (timestamp: string, lang: string): string =>
  formatDate('day', timestamp.slice(0, 10), lang);

/** A month (`2026-11`) in words. */
export const formatMonth = (month: string, lang: string): string => formatDate('month', `${month}-01`, lang);

/** Creating a format costs a hundred times as much as using it, and the pages of a list repeat the same dates. */
const formattedDates = new LRUCache<string, string>({ max: 2_000 });
const dateFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 50 });

function formatDate(what: keyof typeof formatOptions, date: string, lang: string): string {
  const key = `${what} ${lang} ${date}`;
  const found = formattedDates.get(key);
  if (found !== undefined) return found;
  const words = dateFormatFor(what, lang).format(new Date(`${date}T00:00:00Z`));
  formattedDates.set(key, words);
  return words;
}

function dateFormatFor(what: keyof typeof formatOptions, lang: string): Intl.DateTimeFormat {
  const key = `${what} ${lang}`;
  const found = dateFormats.get(key) ?? new Intl.DateTimeFormat(lang, formatOptions[what]);
  dateFormats.set(key, found);
  return found;
}
