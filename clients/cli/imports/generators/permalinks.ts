import { posix } from 'node:path';
import { withoutDate } from '../../folder/dates.ts';
import { nameOfPath, withoutExtension } from '../../folder/slugs.ts';
import type { SiteConfig } from './site-config.ts';

/** What an address is made of. */
export interface Addressed {
  /** Relative to the folder of the site. */
  readonly file: string;
  readonly title: string;
  /** As the front matter has it. */
  readonly slug: string | undefined;
  /** ISO 8601 in UTC. */
  readonly date: string | undefined;
  readonly categories: readonly string[];
}

/** The address that Jekyll gives a post or page without a `permalink` of its own; null if it has none. */
export function jekyllAddress(post: Addressed, { permalinks }: SiteConfig): string | null {
  const style = permalinks.posts ?? 'date';
  const named: Readonly<Record<string, string>> = {
    date: '/:categories/:year/:month/:day/:title:output_ext',
    pretty: '/:categories/:year/:month/:day/:title/',
    ordinal: '/:categories/:year/:y_day/:title:output_ext',
    weekdate: '/:categories/:year/W:week/:short_day/:title:output_ext',
    none: '/:categories/:title:output_ext',
  };
  if (!/(?:^|\/)_posts\//.test(post.file)) {
    if (/(?:^|\/)_/.test(post.file)) return null;
    const path = `/${withoutExtension(post.file)}`.replace(/\/index$/, '/');
    return style === 'pretty' || style.endsWith('/')
      ? path.replace(/\/?$/, '/')
      : path.replace(/(?<!\/)$/, '.html');
  }
  if (style === 'weekdate' || post.date === undefined) return null;
  return fill(named[style] ?? style, post, {
    title: post.slug ?? withoutDate(nameOfPath(post.file)),
    slug: post.slug ?? withoutDate(nameOfPath(post.file)).toLowerCase(),
    categories: post.categories.map(hyphenated).join('/'),
    output_ext: '.html',
  });
}

/** The address that Hugo gives a page without a `url` of its own. */
export function hugoAddress(post: Addressed, { permalinks, isUgly }: SiteConfig): string | null {
  const inner = /^(?:content\/)?(.*)$/s.exec(post.file)?.[1] ?? post.file;
  const path = withoutExtension(inner).replace(/(?:^|\/)index$/, '');
  const [section = ''] = path.includes('/') ? path.split('/') : [''];
  const pattern = permalinks[section] ?? permalinks[`/${section}/`];
  const name = nameOfPath(post.file);
  const address =
    pattern === undefined
      ? `/${posix.join(posix.dirname(path), post.slug ?? posix.basename(path))}/`
      : fill(pattern, post, {
          title: hyphenated(post.title),
          slug: hyphenated(post.slug ?? post.title),
          slugorfilename: hyphenated(post.slug ?? name),
          slugorcontentbasename: hyphenated(post.slug ?? name),
          filename: hyphenated(name),
          contentbasename: hyphenated(name),
          section,
          sections: posix.dirname(path) === '.' ? '' : posix.dirname(path),
        });
  const whole = address?.toLowerCase().replace(/ /g, '-') ?? null;
  return isUgly && pattern === undefined ? (whole?.replace(/\/$/, '.html') ?? null) : whole;
}

/** Fills a pattern. Null if it has something that is not known: a wrong address is worse than none. */
function fill(pattern: string, { date }: Addressed, values: Readonly<Record<string, string>>): string | null {
  const parts = { ...(date === undefined ? {} : datePartsOf(new Date(date))), ...values };
  let isKnown = true;
  const filled = pattern.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = Object.hasOwn(parts, name) ? parts[name as keyof typeof parts] : undefined;
    isKnown &&= value !== undefined;
    return value ?? '';
  });
  return isKnown ? `/${filled}`.replace(/\/{2,}/g, '/') : null;
}

function datePartsOf(date: Date): Record<string, string> {
  const two = (number: number) => String(number).padStart(2, '0');
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const dayOfYear = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000) + 1;
  return {
    year: String(year),
    short_year: two(year % 100),
    month: two(month),
    i_month: String(month),
    day: two(day),
    i_day: String(day),
    y_day: String(dayOfYear).padStart(3, '0'),
    yearday: String(dayOfYear),
    hour: two(date.getUTCHours()),
    minute: two(date.getUTCMinutes()),
    second: two(date.getUTCSeconds()),
  };
}

const hyphenated = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
