import type { Pagination } from '../../sdk/index.ts';

/** A page of a list: a line for each entry, then how many there are, and how to go on. */
export function pageText(lines: readonly string[], { page, total, total_pages }: Pagination): string {
  const more = page < total_pages ? ` Go on with page: ${page + 1}.` : '';
  return [...lines, `${total} in all, page ${page} of ${Math.max(1, total_pages)}.${more}`].join('\n');
}
