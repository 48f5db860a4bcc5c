import type { ListPlace, ListRef } from '../../site/list.ts';
import { byPublication } from '../../site/order.ts';
import type { Site } from '../../site/site.ts';

/**
 * Whether the newest `count` posts of a list, completed to whole list pages, may include a post at this place. An older
 * post is not among them now. If it was before, then either it stood on the last of these pages, or newer posts have
 * been added since, and their own changes rebuild the page.
 */
export async function mayBeAmongNewest(
  site: Site,
  list: ListRef,
  place: ListPlace,
  count: number,
): Promise<boolean> {
  const oldest = await site.oldestOfNewest(list, count);
  return oldest === null || place.pageNumber === oldest.pageNumber || byPublication(place, oldest) >= 0;
}
