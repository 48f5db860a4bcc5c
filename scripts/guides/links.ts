import { posix } from 'node:path';
import { type Guide, otherPages } from './guide-list.ts';

/** Where a link in a guide leads on the site of the guides; null if there is nothing there. */
export type ResolveLink = (guide: Guide, href: string) => string | null;

/** The relative path from a guide to `/docs/`. */
export const rootOf = ({ path }: Pick<Guide, 'path'>): string =>
  '../'.repeat(path.split('/').length - 1) || './';

/** The path to the root of the public host, from the path to `/docs/`. */
export const serviceRootOf = (root: string): string =>
  root.endsWith('/docs/') ? root.slice(0, -'docs/'.length) : `${root}../`;

/**
 * Resolves links between source files (`api.md#errors`) to links between pages (`../api/#errors`). Files that are no
 * guide have no page. A guide of the theme links as if it stood in `docs`, and may also name the pages that are not
 * made from Markdown (`reference/`) and, below `/v1/`, the API.
 */
export function createLinkResolver(guides: readonly Guide[]): ResolveLink {
  const paths = new Map(guides.map(({ file, path }) => [file, path]));
  return (guide, href) => {
    if (/^(?:https?:|mailto:|#)/.test(href)) return href;
    const root = rootOf(guide);
    const [target = '', fragment] = href.split('#');
    if (target.startsWith('/v1/')) return serviceRootOf(root) + target.slice(1);
    if (otherPages.some((page) => page === target)) return root + href;
    const folder = guide.file.endsWith('.svx') ? 'docs' : posix.dirname(guide.file);
    const path = paths.get(posix.join(folder, target));
    if (path === undefined) return null;
    return `${root}${path}${fragment === undefined ? '' : `#${fragment}`}`.replace(/^\.\/(?=.)/, '') || './';
  };
}
