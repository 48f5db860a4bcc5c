import { v7 as uuid } from 'uuid';
import { OWNER_HTML_VERSION } from '../../generator/owner-html/version.ts';
import type { Caller } from '../access/caller.ts';
import { assertBlogSlugFree } from '../addresses/blog-slugs.ts';
import { deleteHeldSlug } from '../addresses/held-slugs.ts';
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
  await assertBlogSlugFree(tx, input.slug, { accountId, blogId: null }, now);
  assertMayCreateBlog(tier, await store.countBlogs(tx, accountId), upgradeUrl);
  const blog = {
    ...input,
    id: uuid(),
    folder: input.slug,
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
