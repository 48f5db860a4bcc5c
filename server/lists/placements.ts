import { FEATURED, type HomeList, monthList, PAGES, UNLISTED } from '../../generator/site/list.ts';
import type { Placement } from '../../generator/site/placement.ts';
import type { PostType } from '../../generator/site/post.ts';
import { tagsOf } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';
import { findLeading } from './related.ts';

/**
 * Positions of published posts in lists, which are in order of publication. A post gets a list page in its home list
 * when it is published, and one in a tag's list when it gets the tag. It keeps them, unless its page is split: a
 * deletion shortens one list page and moves no other post. The number of a list page is its name: new pages count on,
 * wherever in the list they are (decision 0004).
 */

/** Name of the list of all of a blog's posts. Other lists have the names that the generator uses (`ListRef`). */
export const BLOG_LIST = '';

/** Pattern for `like` that matches the names of all month lists. */
export const MONTH_LISTS = '@%';

/** Names of the lists of which every post is in exactly one. */
export const HOME_LISTS = [BLOG_LIST, PAGES, UNLISTED] as const;

/** What decides in which lists a post is. */
export interface Listing {
  readonly type: PostType;
  readonly isUnlisted: boolean;
  readonly isFeatured: boolean;
  /** Labels. */
  readonly tags: readonly string[];
}

export function homeListOf({ type, isUnlisted }: Pick<Listing, 'type' | 'isUnlisted'>): HomeList {
  if (isUnlisted) return UNLISTED;
  return type === 'page' ? PAGES : null;
}

/** Puts a post into its lists, except that of its month, and takes it out of others. */
export async function setLists(
  db: Db,
  post: { readonly id: string; readonly blogId: string },
  listing: Listing,
): Promise<void> {
  const home = homeListOf(listing);
  const lists = [
    home ?? BLOG_LIST,
    ...(home === null && listing.isFeatured ? [FEATURED] : []),
    // An unlisted post is found by its tags, too, but has no list page with them.
    ...tagsOf(listing.tags).map(({ slug }) => slug),
  ];
  await db
    .deleteFrom('placements')
    .where('post_id', '=', post.id)
    .where('list', 'not in', lists)
    .where('list', 'not like', MONTH_LISTS)
    .execute();
  await db
    .insertInto('placements')
    .values(lists.map((list) => ({ blog_id: post.blogId, list, post_id: post.id })))
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/** Adds a published post to the list of its month, if it is in the blog's own list. */
export async function addToMonthList(
  db: Db,
  post: { readonly id: string; readonly blogId: string },
  publishedAt: string,
): Promise<void> {
  await addPlacement(db, post.blogId, monthList(publishedAt), post.id);
}

const addPlacement = prepared((db, blogId: string, list: string, postId: string) =>
  db
    .insertInto('placements')
    .columns(['blog_id', 'list', 'post_id'])
    .expression((eb) =>
      eb
        .selectFrom('placements')
        .select([eb.val(blogId).as('blog_id'), eb.val(list).as('list'), 'post_id'])
        .where('post_id', '=', postId)
        .where('list', '=', BLOG_LIST),
    )
    .onConflict((oc) => oc.doNothing()),
);

/** Removes a post from all list pages, and from the list of its month. */
export async function removeFromLists(db: Db, postId: string): Promise<void> {
  await db
    .deleteFrom('placements')
    .where('post_id', '=', postId)
    .where('list', 'like', MONTH_LISTS)
    .execute();
  await db
    .updateTable('placements')
    .set({ list_page: null, published_at: null })
    .where('post_id', '=', postId)
    .execute();
}

/** Where a post is listed now; null while it is not published. */
export async function findPlacement(db: Db, postId: string): Promise<Placement | null> {
  const [place] = await findPlacements(db, [postId]);
  return place ?? null;
}

const publishedPostsById = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('posts')
    .select((eb) => ['id', 'slug', eb.fn.coalesce('published_at', 'created_at').as('publishedAt')])
    .select(['series_slug as seriesSlug', 'series_part as seriesPart'])
    .where('id', 'in', anyOf(ids))
    .where('status', '=', 'published'),
);

const listPagesOf = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('placements')
    .select(['post_id as postId', 'list', 'list_page as pageNumber'])
    .where('post_id', 'in', anyOf(ids))
    .where('list_page', 'is not', null),
);

const redirectsTo = prepared((db, ids: readonly string[]) =>
  db.selectFrom('redirects').select(['post_id as postId', 'slug']).where('post_id', 'in', anyOf(ids)),
);

/** Where the posts are listed now; only those that are published. */
export async function findPlacements(db: Db, postIds: readonly string[]): Promise<Placement[]> {
  const posts = await publishedPostsById(db, postIds);
  const ids = posts.map(({ id }) => id);
  if (ids.length === 0) return [];
  const listPages = groupByPost(await listPagesOf(db, ids));
  const redirects = groupByPost(await redirectsTo(db, ids));
  const leading = groupByPost(await findLeading(db, ids));
  return posts.map(({ id, slug, publishedAt, seriesSlug, seriesPart }) => {
    const pageNumbers = (listPages.get(id) ?? []).flatMap(({ list, pageNumber }) =>
      pageNumber === null ? [] : [{ list, pageNumber }],
    );
    const home = pageNumbers.find(({ list }) => isHomeList(list));
    return {
      postId: id,
      slug,
      publishedAt,
      homeList: parseHomeList(home?.list ?? BLOG_LIST),
      pageNumber: home?.pageNumber ?? 1,
      lists: pageNumbers.filter(({ list }) => !isHomeList(list)),
      redirects: (redirects.get(id) ?? []).map((redirect) => redirect.slug),
      relatedBy: (leading.get(id) ?? []).map(({ leadingId }) => leadingId),
      series: seriesSlug === null || seriesPart === null ? null : { slug: seriesSlug, part: seriesPart },
    };
  });
}

const isHomeList = (list: string): boolean => HOME_LISTS.some((home) => home === list);

/** A home list by its name in the database. */
export const parseHomeList = (list: string): HomeList => (list === PAGES || list === UNLISTED ? list : null);

function groupByPost<Row extends { readonly postId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.postId);
    if (group) group.push(row);
    else groups.set(row.postId, [row]);
  }
  return groups;
}
