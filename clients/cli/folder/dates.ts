const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const NUMERIC = /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:(?:[T ]|, )(.*))?$/;
/** `Jul 08 2022`, `July 8th, 2022`, with a weekday or without. */
const MONTH_FIRST =
  /^(?:[a-z]{3,9},? )?([a-z]{3})[a-z]*\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{4})(?:,? (?:at )?(.*))?$/i;
/** `8 July 2022`, as in e-mail. */
const DAY_FIRST = /^(?:[a-z]{3,9},? )?(\d\d?)(?:st|nd|rd|th)?\.? ([a-z]{3})[a-z]*\.?,? (\d{4})(?:,? (.*))?$/i;
const TIME =
  /^(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?: ?([ap])\.?m\.?)? ?(Z|UTC|GMT|[+-]\d\d?(?::?\d\d)?)?$/i;

/**
 * The moment of a date as static site generators and people write it, in ISO 8601 and UTC. Without a time zone it is in
 * UTC. Undefined if it is none, such as one of February 30.
 */
export function parseDate(text: string): string | undefined {
  const date = partsOf(text.trim());
  if (date === undefined) return undefined;
  const { year, month, day, time } = date;
  const minutes = time === undefined ? 0 : minutesOf(time);
  if (minutes === undefined) return undefined;
  const midnight = Date.UTC(year, month - 1, day);
  const found = new Date(midnight);
  // A day that its month does not have would become a day of the next month.
  if (found.getUTCMonth() !== month - 1 || found.getUTCDate() !== day) return undefined;
  return new Date(midnight + minutes * 60_000).toISOString();
}

function partsOf(text: string) {
  const numeric = NUMERIC.exec(text);
  if (numeric) {
    const [, year, month, day, time] = numeric;
    return { year: Number(year), month: Number(month), day: Number(day), time };
  }
  const [, month, day, year, time] = MONTH_FIRST.exec(text) ?? swapped(DAY_FIRST.exec(text));
  const number = MONTHS.indexOf(month?.toLowerCase() ?? '') + 1;
  return number === 0 ? undefined : { year: Number(year), month: number, day: Number(day), time };
}

const swapped = (match: RegExpExecArray | null): (string | undefined)[] =>
  match === null ? [] : ['', match[2], match[1], match[3], match[4]];

/** Minutes since midnight in UTC, with fractions; undefined if the text is no time. */
function minutesOf(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, hour, minute, second = '0', half, zone = 'Z'] = match;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  if (hours > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const fraction = Number(/:\d\d[.,](\d+)/.exec(text)?.[1]?.slice(0, 3).padEnd(3, '0') ?? 0) / 60_000;
  return hours * 60 + Number(minute) + Number(second) / 60 + fraction - offsetOf(zone);
}

/** Minutes that a zone is ahead of UTC. */
function offsetOf(zone: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d?):?(\d\d)?$/.exec(zone) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** A time of day that a file's name or folders begin with: Jekyll, Hugo, Eleventy, Docusaurus. */
const DATE_IN_NAME = /^(\d{4}-\d\d-\d\d)(?:[-_ ]+|$)/;

/** The date in the path of a file: `2024-05-01-ink.md`, `2024-05-01/index.md`, `2024/05/01/ink.md`. */
export function dateInPath(path: string): string | undefined {
  const parts = path.split('/');
  for (const part of parts.slice(-2).toReversed()) {
    const [, date] = DATE_IN_NAME.exec(part) ?? [];
    if (date !== undefined && parseDate(date) !== undefined) return date;
  }
  const [, year, month, day] = /(?:^|\/)(\d{4})\/(\d\d)\/(\d\d)[-/]/.exec(path) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

/** A name without the date that it begins with. A name that is nothing else stays. */
export const withoutDate = (name: string): string => name.replace(DATE_IN_NAME, '') || name;
