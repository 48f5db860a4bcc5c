import type { ListRef, Site } from '../site.ts';

/**
 * Whether what shows the newest `count` posts of a list may show one of a run. A post of an older run is not among them
 * now; and it was not before, unless newer posts have come since, which then have themselves reached what shows them.
 */
export async function mayBeAmongNewest(site: Site, list: ListRef, pageNumber: number, count: number): Promise<boolean> {
  const oldest = await site.oldestPageOf(list, count);
  return oldest === null || pageNumber >= oldest;
}
