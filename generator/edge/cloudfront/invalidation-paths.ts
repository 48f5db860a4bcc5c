import { HEADERS_FILE } from '../../page.ts';

/**
 * So many paths of a blog's pages, or of its images, are named one by one; more are one wildcard, which has CloudFront forget the rest of the blog
 * too. It is charged like a single path, which costs more than to fetch ten thousand pages from S3 again.
 */
export const NAMED_PATHS_MAX = 5;

/**
 * What CloudFront is to be told when files of the edge have changed: paths as its cache knows them, which are those
 * that its function asks the bucket for, percent-encoded.
 */
export function invalidationPaths(paths: Iterable<string>): string[] {
  const byFolder = new Map<string, Set<string>>();
  for (const path of paths) {
    if (!isCached(path)) continue;
    const folder = /^(?:sites|media)\/[^/*]+\//.exec(path)?.[0] ?? '';
    const named = byFolder.get(folder) ?? new Set();
    byFolder.set(folder, named.add(path));
  }
  return [...byFolder].flatMap(([folder, named]) => {
    const whole = `${folder}*`;
    const isWhole = named.has(whole) || (folder !== '' && named.size > NAMED_PATHS_MAX);
    return (isWhole ? [whole] : [...named]).map(encodePath);
  });
}

/** The function reads these from elsewhere, and nobody is sent them. */
const isCached = (path: string): boolean => !path.startsWith('hosts/') && !path.endsWith(`/${HEADERS_FILE}`);

/** As the function writes it, character by character; a `*` at the end is left. */
function encodePath(path: string): string {
  const [, name = '', wildcard = ''] = /^(.*?)(\*?)$/s.exec(path) ?? [];
  return `/${name.split('/').map(encodeURIComponent).join('/').replaceAll('*', '%2A')}${wildcard}`;
}
