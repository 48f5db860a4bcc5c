import { isDeepStrictEqual } from 'node:util';
import { v7 as uuid } from 'uuid';
import { OWNER_HTML_VERSION } from '../../generator/owner-html/version.ts';
import type { Caller } from '../access/caller.ts';
import { deleteHeldSlug, findHeldSlug, isBeingRemoved } from '../addresses/held-slugs.ts';
import { isReservedBlogSlug } from '../addresses/slug.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { logBlogAction } from '../journal/audit-log.ts';
import { recordResult } from '../journal/idempotency.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Precondition } from '../rebuilds/write.ts';
import { type Clock, nextTimestamp } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import { assertIncludes } from '../tiers/feature.ts';
import { assertMayCreateBlog } from '../tiers/quota.ts';
import type { Blog, BlogDetails, BlogPatch, CreatedBlog, NewBlog, UpdatedBlog } from './blog.ts';
import { patchSettings } from './blog-settings.ts';
import type { Layouts } from './layouts.ts';
import { findAccessibleBlog } from './open-blog.ts';
import type { OwnerHtmls } from './owner-html.ts';
import * as store from './store.ts';
import { patchOwnerHtml, patchTheme, themeKeys } from './theme.ts';

export interface Blogs {
  /** The caller's blogs, oldest first: the bound one alone where the credential is bound. */
  list(caller: Caller): Promise<Blog[]>;
  /**
   * Creates a blog. Throws `forbidden` if the tier's blog limit is reached or the credential is bound to a blog,
   * `bad_request` for a reserved slug, and `conflict` for a slug that is taken or held for another account that
   * deleted a blog with it.
   */
  create(caller: Caller, input: NewBlog, db?: Db): Promise<CreatedBlog>;
  /**
   * Throws `not_found` for a blog that the credential cannot access, `forbidden` for setting a theme key that the
   * tier does not include (removing a key is always allowed), and `bad_request` for an invalid layout or invalid
   * owner HTML.
   */
  update(caller: Caller, blogId: string, patch: BlogPatch, check?: Precondition): Promise<UpdatedBlog>;
  /** Throws `not_found` for a blog that the credential cannot access. */
  get(caller: Caller, blogId: string): Promise<BlogDetails>;
  /**
   * The blog that a request acts on: the requested one, else the one that the credential is bound to, else the
   * account's oldest. Throws `forbidden` if the credential is bound to another blog, and `not_found` if there is
   * none.
   */
  select(caller: Caller, blogId: string | undefined): Promise<Blog>;
}

export interface BlogsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly upgradeUrl: string;
  /** Throws `bad_request` for an invalid layout. */
  readonly assertLayoutUsable: Layouts['assertValid'];
  readonly balanceOwnerHtml: OwnerHtmls['balance'];
  /** Called when a write has queued a rebuild. */
  readonly onChange: () => void;
}

export function createBlogs({
  db,
  clock,
  upgradeUrl,
  assertLayoutUsable,
  balanceOwnerHtml,
  onChange,
}: BlogsDependencies): Blogs {
  async function findOwnedBlog(caller: Caller, blogId: string | null): Promise<Blog | null> {
    const blog =
      blogId === null ? await store.findFirstBlog(db, caller.accountId) : await store.findBlog(db, blogId);
    return blog?.accountId === caller.accountId ? blog : null;
  }

  return {
    async list(caller) {
      if (caller.boundBlogId === null) return store.listBlogs(db, caller.accountId);
      const blog = await findOwnedBlog(caller, caller.boundBlogId);
      return blog ? [blog] : [];
    },

    async create(caller, input, connection = db) {
      if (caller.boundBlogId !== null) {
        throw new DomainError('forbidden', 'this API key is bound to one blog and cannot create another');
      }
      if (isReservedBlogSlug(input.slug)) {
        throw new DomainError('bad_request', `slug: "${input.slug}" is reserved`);
      }
      const now = clock.now();
      const blog = {
        ...input,
        id: uuid(),
        accountId: caller.accountId,
        customDomain: null,
        domain: null,
        takenDownAt: null,
        takenDownReason: null,
        createdAt: now,
        updatedAt: now,
      };
      const created = await inTransaction(connection, async (tx) => {
        await assertBlogSlugFree(tx, blog, now);
        assertMayCreateBlog(caller.tier, await store.countBlogs(tx, caller.accountId), upgradeUrl);
        await store.insertBlog(tx, blog, OWNER_HTML_VERSION);
        await deleteHeldSlug(tx, blog.slug);
        const rebuildId = await enqueueChange(tx, blog.id, { scope: 'blog' }, now);
        await recordResult(tx, { blog, rebuildId });
        await logBlogAction(tx, blog);
        return { blog, rebuildId };
      });
      onChange();
      return created;
    },

    async get(caller, blogId) {
      const blog = await findAccessibleBlog(db, caller, blogId);
      return { blog, ...(await store.findAppearance(db, blogId)) };
    },

    async update(caller, blogId, { name, description, themeConfig = {}, settings = {} }, check) {
      const changedKeys = themeKeys.filter((key) => themeConfig[key]);
      if (changedKeys.length > 0) {
        // Checking a layout or owner HTML is slow, so it happens before the transaction.
        check?.(await findAccessibleBlog(db, caller, blogId));
        for (const key of changedKeys) assertIncludes(caller.tier, key, upgradeUrl);
      }
      if (themeConfig.layout) await assertLayoutUsable(caller, themeConfig.layout);
      const balancedHtml = await balanceOwnerHtml(caller.accountId, themeConfig);
      const updated = await inTransaction(db, async (tx) => {
        const blog = await findAccessibleBlog(tx, caller, blogId);
        check?.(blog);
        const look = await store.findAppearance(tx, blogId);
        const patched = {
          ...blog,
          name: name ?? blog.name,
          description: description ?? blog.description,
        };
        const patchedLook = {
          themeConfig: patchTheme(look.themeConfig, themeConfig),
          ownerHtml: patchOwnerHtml(look.ownerHtml, themeConfig, balancedHtml),
          settings: patchSettings(look.settings, settings),
        };
        if (isDeepStrictEqual([patched, patchedLook], [blog, look])) {
          return { blog, ...look, rebuildId: null };
        }
        const now = nextTimestamp(blog.updatedAt, clock.now());
        const changed = { ...patched, updatedAt: now };
        await store.updateBlog(tx, changed, patchedLook);
        const rebuildId = await enqueueChange(tx, blogId, { scope: 'blog' }, now);
        await logBlogAction(tx, changed);
        return { blog: changed, ...patchedLook, rebuildId };
      });
      if (updated.rebuildId !== null) onChange();
      return updated;
    },

    async select(caller, blogId) {
      if (caller.boundBlogId !== null && blogId !== undefined && blogId !== caller.boundBlogId) {
        throw new DomainError(
          'forbidden',
          'X-Blog-Id: this API key is bound to another blog; leave the header out',
        );
      }
      const blog = await findOwnedBlog(caller, blogId ?? caller.boundBlogId);
      if (!blog) {
        const hint =
          blogId === undefined
            ? 'the account has no blog yet: create one with POST /v1/blogs'
            : 'blog not found: X-Blog-Id must be one of the ids that GET /v1/blogs lists';
        throw new DomainError('not_found', hint);
      }
      return blog;
    },
  };
}

/** Throws `conflict` for a slug that the account cannot use now. */
async function assertBlogSlugFree(
  db: Db,
  { slug, accountId }: { readonly slug: string; readonly accountId: string },
  now: string,
): Promise<void> {
  if (await store.isBlogSlugTaken(db, slug)) {
    throw new DomainError('conflict', `the blog slug "${slug}" is taken`);
  }
  const held = await findHeldSlug(db, slug);
  if (held && held.accountId !== accountId && held.until > now) {
    const reason = `the blog slug "${slug}" belonged to a deleted blog: choose another, or wait until ${held.until}`;
    throw new DomainError('conflict', reason);
  }
  if (await isBeingRemoved(db, slug)) {
    const reason = `the blog slug "${slug}" belonged to a deleted blog whose pages are being removed: try again soon`;
    throw new DomainError('conflict', reason);
  }
}
