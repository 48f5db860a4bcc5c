import { LRUCache } from 'lru-cache';

const formatOptions = {
  day: { dateStyle: 'long', timeZone: 'UTC' },
  month: { year: 'numeric', month: 'long', timeZone: 'UTC' },
  year: { year: 'numeric', timeZone: 'UTC' },
} as const;

/** Calendars whose months are those of the Gregorian calendar. Only their years are counted differently. */
const gregorianMonths = new Set(['gregory', 'buddhist', 'japanese', 'roc']);

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether a timestamp is a day or more after another. */
export const isDayLater = (earlier: string, later: string): boolean =>
  Date.parse(later) - Date.parse(earlier) >= DAY_MS;

/** A timestamp's date in words, in UTC, the same on every machine. */
export const formatDay = (timestamp: string, lang: string): string =>
  formatDate('day', timestamp.slice(0, 10), lang);

/** A month (`2026-11`) in words. It is a Gregorian month, also where dates are usually given in another calendar. */
export const formatMonth = (month: string, lang: string): string => formatDate('month', `${month}-01`, lang);

/** A year (`2026`) in words. */
export const formatYear = (year: string, lang: string): string => formatDate('year', `${year}-01-01`, lang);

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
  const found = dateFormats.get(key) ?? createFormat(what, lang);
  dateFormats.set(key, found);
  return found;
}

/** English for an unknown language, because the runtime's default differs from machine to machine. */
function createFormat(what: keyof typeof formatOptions, lang: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat([lang, 'en'], formatOptions[what]);
  return what === 'day' || gregorianMonths.has(format.resolvedOptions().calendar)
    ? format
    : new Intl.DateTimeFormat([lang, 'en'], { ...formatOptions[what], calendar: 'gregory' });
}
