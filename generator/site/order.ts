/** The position of a post in the order of a list. */
export interface SortKey {
  readonly id: string;
  readonly publishedAt: string;
}

/** The order of posts in lists, oldest first. */
export const byPublication = (one: SortKey, other: SortKey): number =>
  compare(one.publishedAt, other.publishedAt) || compare(one.id, other.id);

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

/** A post's position in a series. */
export interface SeriesPlace {
  readonly id: string;
  readonly part: number;
}

/** The order of a series. */
export const byPart = (one: SeriesPlace, other: SeriesPlace): number =>
  one.part - other.part || compare(one.id, other.id);
