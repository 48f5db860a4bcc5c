import type { ListRef, Site } from '../site.ts';

/**
 * Whether the newest `count` posts of a list may include a post of list page `pageNumber`. A post of an older list page is not
 * among them now. If it was before, then newer posts have been added since, and their own changes rebuild the page.
 */
export async function mayBeAmongNewest(
  site: Site,
  list: ListRef,
  pageNumber: number,
  count: number,
): Promise<boolean> {
  const oldest = await site.oldestPageOf(list, count);
  return oldest === null || pageNumber >= oldest;
}
