import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { slugify } from 'transliteration';
import * as addresses from '../../generator/addresses.ts';

const MAX_POST_SLUG = 100;

/** Post slugs: the interface's "lowercase a-z, 0-9 and hyphens, max 100 chars". */
export const postSlugPattern = /^[a-z0-9-]{1,100}$/;

/** A blog slug is the first label of a host name, so hyphens may appear only inside (RFC 1123). */
export const blogSlugPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Host names that such a service needs for itself, or that readers would mistake for the service's own. */
const reservedBlogSlugs = new Set(
  (
    'www api app apps admin administrator dashboard docs doc mail email smtp imap pop ftp media cdn static assets ' +
    'images img files status blog blogs help support account accounts auth login signup sso billing pay mcp edge ' +
    'origin ns ns1 ns2 dns mx webmail autoconfig autodiscover localhost internal test staging dev root security ' +
    'abuse postmaster hostmaster webmaster noreply platen'
  ).split(' '),
);

export const isReservedBlogSlug = (slug: string): boolean =>
  reservedBlogSlugs.has(slug) || slug.startsWith('xn--');

/** The first folders of the addresses that every blog has. A post cannot have one of them as its slug. */
const reservedPostSlugs = new Set(
  Object.values(addresses).flatMap((address) =>
    typeof address === 'string' ? (/^\/([^/]+)\//.exec(address)?.[1] ?? []) : [],
  ),
);

export const isReservedPostSlug = (slug: string): boolean => reservedPostSlugs.has(slug);

/**
 * Post slug for a title in any script: transliterated to ASCII, cut at a word if it is too long. Empty if nothing in
 * the title can be transliterated.
 */
export function slugFromTitle(title: string): string {
  // One character may become several, so 1000 characters are more than any slug can hold.
  const words = slugify(title.slice(0, 1000).replace(/['’‘ʼ]/g, ''), { lowercase: true, trim: true });
  return cutAtHyphen(words.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, ''), MAX_POST_SLUG);
}

/** The `n`th slug (from 2) to try if `slug` is taken: `slug-2`, never longer than a slug may be. */
export function numberedSlug(slug: string, n: number): string {
  const suffix = `-${n}`;
  return cutAtHyphen(slug, MAX_POST_SLUG - suffix.length) + suffix;
}

function cutAtHyphen(slug: string, max: number): string {
  if (slug.length <= max) return slug;
  const end = slug[max] === '-' ? max : slug.lastIndexOf('-', max);
  return (end > max / 2 ? slug.slice(0, end) : slug.slice(0, max)).replace(/-+$/, '');
}

/** Tags for labels, in order. Labels with the same slug are one tag, named after the first. */
export function tagsOf(labels: readonly string[]): { label: string; slug: string }[] {
  const tags = new Map<string, string>();
  for (const label of labels) {
    const slug = tagSlug(label);
    if (!tags.has(slug)) tags.set(slug, label);
  }
  return [...tags].map(([slug, label]) => ({ label, slug }));
}

/**
 * The slug of a tag's pages. Letters, marks and digits of every script are kept, so readers see their own script in
 * the address; case and punctuation are ignored, so `Rust` and `rust` are one tag. Never empty.
 */
export const tagSlug = (label: string): string => tagSlugCache.memo(label);

/** Slugs of recently used tags: every post in a list has some, mostly the same. */
const tagSlugCache = new LRUCache<string, string>({ max: 5_000, memoMethod: computeTagSlug });

function computeTagSlug(label: string): string {
  const words = label
    .normalize('NFC')
    .toLowerCase()
    .replace(/\+/g, ' plus ')
    .replace(/#/g, ' sharp ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const slug = words === '' ? [...label].map((c) => `u${c.codePointAt(0)?.toString(16)}`).join('-') : words;
  // File systems limit a name to 255 bytes, and a character takes up to four.
  const characters = [...slug];
  if (characters.length <= 60) return slug;
  const hash = createHash('sha256').update(slug).digest('hex').slice(0, 8);
  return `${characters.slice(0, 50).join('').replace(/-+$/, '')}-${hash}`;
}
