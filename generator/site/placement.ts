import type { HomeList, ListPlace, ListRef } from './list.ts';
import type { SeriesPart } from './post.ts';

/** A published post's position, before or after a change: enough to find every page that shows it. */
export interface Placement {
  readonly postId: string;
  readonly slug: string;
  readonly publishedAt: string;
  readonly homeList: HomeList;
  readonly pageNumber: number;
  /** Its list page in the list of each of its tags, of its month, and of featured posts. */
  readonly lists: readonly { readonly list: string; readonly pageNumber: number }[];
  readonly redirects: readonly string[];
  /** Ids of the posts that lead on to it as a related post. */
  readonly relatedBy: readonly string[];
  /** Its place in a series. */
  readonly series: Pick<SeriesPart, 'slug' | 'part'> | null;
}

/** Its places in its home list and in all others. */
export const placesOf = ({
  postId: id,
  publishedAt,
  homeList,
  pageNumber,
  lists,
}: Placement): { readonly list: ListRef; readonly place: ListPlace }[] =>
  [{ list: homeList, pageNumber }, ...lists].map(({ list, pageNumber }) => ({
    list,
    place: { id, publishedAt, pageNumber },
  }));
