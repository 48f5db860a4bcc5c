import { isDeepStrictEqual } from 'node:util';
import { quotedName } from '../../generator/shown-name.ts';
import type { FrontPage } from '../../generator/site/blog.ts';
import { findSlugUse } from '../addresses/redirects.ts';
import { isReservedPostSlug } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import { invalidRequest } from '../input/parse-input.ts';
import { nextTimestamp } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import { fieldMistake, noMistakes, type Remarks } from '../wire/mistake.ts';
import * as store from './store.ts';

const PAGE_FIELD = 'settings.front_page.page';

/** What is odd about a front page that was set: the page may be published later. */
export async function remarksOnFrontPage(db: Db, blogId: string, { page }: FrontPage): Promise<Remarks> {
  const found = await store.findKindOfPost(db, blogId, page);
  if (found === null || found.status === 'published') return noMistakes;
  const message = `${quotedName(page)} is not published yet: until then the root leads to the list`;
  return { first: [fieldMistake(PAGE_FIELD, message)], more: 0 };
}

/**
 * Throws `bad_request` if a new front page is no page of the blog, and `conflict` if the new address of its list is
 * taken.
 */
export async function assertFrontPageFits(
  tx: Db,
  blogId: string,
  before: FrontPage | null,
  after: FrontPage | null,
): Promise<void> {
  if (after === null || isDeepStrictEqual(before, after)) return;
  const { page, list } = after;
  const found = await store.findKindOfPost(tx, blogId, page);
  if (found?.type !== 'page') {
    const message =
      found === null
        ? `the blog has no page "${page}": create it with POST /v1/posts and type "page"`
        : `"${page}" is a post, and only a page can be the front page: a type never changes`;
    throw invalidRequest([{ field: PAGE_FIELD, message }]);
  }
  if (list === before?.list) return;
  const use = isReservedPostSlug(list) ? 'list' : await findSlugUse(tx, blogId, list);
  if (use === null) return;
  const user = { post: 'a post', redirect: 'a redirect to a post', list: "the blog's own pages" }[use];
  throw new DomainError('conflict', `settings.front_page.list: the address /${list}/ is taken by ${user}`);
}

/** Keeps a front page where it is when its slug changes. */
export async function renameFrontPage(
  tx: Db,
  blogId: string,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: string },
): Promise<void> {
  const { settings } = await store.findAppearance(tx, blogId);
  const { frontPage } = settings;
  if (frontPage?.page !== from) return;
  const blog = await store.findBlog(tx, blogId);
  if (!blog) return;
  const renamed = { ...settings, frontPage: { ...frontPage, page: to } };
  await store.updateSettings(tx, blogId, renamed, nextTimestamp(blog.updatedAt, now));
}
