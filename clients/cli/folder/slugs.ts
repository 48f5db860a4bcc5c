import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { slugify } from 'transliteration';
import { withoutDate } from './dates.ts';

/** The limit of the API. */
export const MAX_SLUG = 100;

export const isSlug = (text: string): boolean => /^[a-z0-9-]{1,100}$/.test(text);

/**
 * A slug for words in any script: transliterated to ASCII, cut at a word if it is too long. Empty if nothing can be
 * transliterated.
 */
export function slugFromWords(words: string): string {
  // One character may become several, so 1,000 characters are more than any slug can hold.
  const ascii = slugify(words.slice(0, 1_000).replace(/['’‘ʼ]/g, ''), { lowercase: true, trim: true });
  return cutAtHyphen(ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, ''));
}

function cutAtHyphen(slug: string): string {
  if (slug.length <= MAX_SLUG) return slug;
  const end = slug.lastIndexOf('-', MAX_SLUG);
  return slug.slice(0, end > MAX_SLUG / 2 ? end : MAX_SLUG).replace(/-+$/, '');
}

/**
 * Slugs for the files without one in their front matter. A slug depends only on the file's path, so it is the same in
 * every run: it is made of the file name; if two files share it, of the whole path; if that is still not unique, or
 * has no ASCII form, with a hash of the path.
 *
 * @param paths relative to the folder, separated by `/`
 * @param taken slugs in the front matter of other files of the folder
 */
export function slugsForPaths(paths: readonly string[], taken: ReadonlySet<string>): Map<string, string> {
  const slugs = new Map<string, string>();
  const used = new Set(taken);
  for (const slugOf of [slugOfName, slugOfPath, slugWithHash]) {
    const candidates = paths.filter((path) => !slugs.has(path)).map((path) => ({ path, slug: slugOf(path) }));
    const counts = new Map<string, number>();
    for (const { slug } of candidates) counts.set(slug, (counts.get(slug) ?? 0) + 1);
    for (const { path, slug } of candidates) {
      if (slug === '' || used.has(slug) || counts.get(slug) !== 1) continue;
      slugs.set(path, slug);
      used.add(slug);
    }
  }
  return slugs;
}

/** The file name without its extension; for an `index.md`, the name of its folder. */
export function nameOfPath(path: string): string {
  const name = withoutExtension(posix.basename(path));
  const folder = posix.basename(posix.dirname(path));
  return /^_?index$/i.test(name) && folder !== '.' ? folder : name;
}

export const withoutExtension = (path: string): string => path.replace(/\.(?:md|mdx|markdown)$/i, '');

const slugOfName = (path: string): string => slugFromWords(withoutDate(nameOfPath(path)));

const slugOfPath = (path: string): string => slugFromWords(withoutExtension(path).replaceAll('/', ' '));

function slugWithHash(path: string): string {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 12);
  const name = slugOfPath(path)
    .slice(0, MAX_SLUG - hash.length - 1)
    .replace(/-+$/, '');
  return `${name || 'post'}-${hash}`;
}
