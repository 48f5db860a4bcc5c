import type { SortKey } from './order.ts';

/**
 * The blog's main list of posts (`null`), a tag's list (its slug), a month's (`@2026-11`), or one of the lists without
 * pages, whose names begin with `#`.
 */
export type ListRef = string | null;

/** Lists without pages. No tag slug contains a `#`. */
export const PAGES = '#pages';
/** Live posts and pages that no list, feed, sitemap or search shows. */
export const UNLISTED = '#unlisted';
/** Posts that the first page of the main list picks out. They are in the main list, too. */
export const FEATURED = '#featured';

/** The lists of which every published post is in exactly one. */
export type HomeList = null | typeof PAGES | typeof UNLISTED;

/** Whether a list has pages of its own. */
export const hasPages = (list: ListRef): boolean => !list?.startsWith('#');

/** The list of the posts published in the same month (UTC). No tag slug contains an `@`. */
export const monthList = (publishedAt: string): string => `@${publishedAt.slice(0, 7)}`;

/** The month (`2026-11`) of a month's list; null for every other list. */
export const monthOf = (list: ListRef): string | null => (list?.startsWith('@') ? list.slice(1) : null);

/** A post's position in a list, and the number of its list page there. */
export interface ListPlace extends SortKey {
  readonly pageNumber: number;
}

/** List pages by number, both ends included. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

/** Lists that overviews show with their sizes. */
export type CountedLists = 'tag' | 'month';
