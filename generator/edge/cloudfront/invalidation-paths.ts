import { HEADERS_FILE } from '../../addresses.ts';
import { HOSTS_FOLDER } from '../../edge-paths.ts';

/**
 * Up to this many paths of a blog's pages, or of its images, are invalidated one by one; more become one wildcard,
 * which also invalidates the rest of the blog. AWS charges a wildcard like one path, and one path costs more than
 * fetching ten thousand pages from S3 again.
 */
export const MAX_SINGLE_PATHS = 5;

/**
 * The invalidation paths for changed files of the edge. They are cache keys: the percent-encoded paths that the
 * function requests from the bucket.
 */
export function invalidationPaths(paths: Iterable<string>): string[] {
  const byFolder = new Map<string, Set<string>>();
  for (const path of paths) {
    if (!isCached(path)) continue;
    const folder = /^(?:sites|media)\/[^/*]+\//.exec(path)?.[0] ?? '';
    const folderPaths = byFolder.get(folder) ?? new Set();
    byFolder.set(folder, folderPaths.add(path));
  }
  return [...byFolder].flatMap(([folder, folderPaths]) => {
    const wholeFolder = `${folder}*`;
    const useWildcard =
      folderPaths.has(wholeFolder) || (folder !== '' && folderPaths.size > MAX_SINGLE_PATHS);
    return (useWildcard ? [wholeFolder] : [...folderPaths]).map(encodePath);
  });
}

/** Host and header files are never served: the function reads them from the KeyValueStore. */
const isCached = (path: string): boolean =>
  !path.startsWith(HOSTS_FOLDER) && !path.endsWith(`/${HEADERS_FILE}`);

/** Encodes a path exactly as the function does, but keeps a trailing `*`. */
function encodePath(path: string): string {
  const [, name = '', wildcard = ''] = /^(.*?)(\*?)$/s.exec(path) ?? [];
  return `/${name.split('/').map(encodeURIComponent).join('/').replaceAll('*', '%2A')}${wildcard}`;
}
