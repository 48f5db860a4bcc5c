import { v7 as uuid } from 'uuid';
import { OWNER_HTML_VERSION } from '../../generator/owner-html/version.ts';
import type { Caller } from '../access/caller.ts';
import { deleteHeldSlug, findHeldSlug, isBeingRemoved } from '../addresses/held-slugs.ts';
import { isReservedBlogSlug } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import { logBlogAction } from '../journal/audit-log.ts';
import { recordResult } from '../journal/idempotency.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import { DomainError } from '../runtime/errors.ts';
import { assertMayCreateBlog } from '../tiers/quota.ts';
import type { CreatedBlog, NewBlog } from './blog.ts';
import * as store from './store.ts';

/**
 * Creates a blog and queues its first build. Throws `forbidden` if the tier's blog limit is reached or the credential
 * is bound to a blog, `bad_request` for a reserved slug, and `conflict` for a slug that is taken or held for another
 * account that deleted a blog with it.
 */
export async function createBlog(
  tx: Db,
  caller: Caller,
  input: NewBlog,
  now: string,
  upgradeUrl: string,
): Promise<CreatedBlog> {
  if (caller.boundBlogId !== null) {
    throw new DomainError('forbidden', 'this API key is bound to one blog and cannot create another', {
      guide: 'blogs',
    });
  }
  const { accountId, tier } = caller;
  await assertBlogSlugFree(tx, input.slug, accountId, now);
  assertMayCreateBlog(tier, await store.countBlogs(tx, accountId), upgradeUrl);
  const blog = {
    ...input,
    id: uuid(),
    accountId,
    customDomain: null,
    domain: null,
    takenDownAt: null,
    takenDownReason: null,
    createdAt: now,
    updatedAt: now,
  };
  await store.insertBlog(tx, blog, OWNER_HTML_VERSION);
  await deleteHeldSlug(tx, blog.slug);
  const rebuildId = await enqueueChange(tx, blog.id, { scope: 'blog' }, now);
  await recordResult(tx, { blog, rebuildId });
  await logBlogAction(tx, blog);
  return { blog, rebuildId };
}

/** Throws `bad_request` for a reserved slug, and `conflict` for one that the account cannot use now. */
async function assertBlogSlugFree(db: Db, slug: string, accountId: string, now: string): Promise<void> {
  if (isReservedBlogSlug(slug)) throw new DomainError('bad_request', `slug: "${slug}" is reserved`);
  if (await store.isBlogSlugTaken(db, slug)) {
    throw new DomainError('conflict', `the blog slug "${slug}" is taken`, { guide: 'slugs' });
  }
  const held = await findHeldSlug(db, slug);
  if (held && held.accountId !== accountId && held.until > now) {
    const reason = `the blog slug "${slug}" belonged to a deleted blog: choose another, or wait until ${held.until}`;
    throw new DomainError('conflict', reason, { guide: 'slugs' });
  }
  if (await isBeingRemoved(db, slug)) {
    const reason = `the blog slug "${slug}" belonged to a deleted blog whose pages are being removed: try again soon`;
    throw new DomainError('conflict', reason, { guide: 'slugs' });
  }
}
