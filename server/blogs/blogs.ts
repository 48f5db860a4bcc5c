import { isDeepStrictEqual } from 'node:util';
import type { BlogSettings } from '../../generator/site/blog.ts';
import { type Caller, canAccess } from '../access/caller.ts';
import { changeSlug } from '../addresses/blog-slugs.ts';
import type { Db } from '../database/database.ts';
import { logBlogAction } from '../journal/audit-log.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Writer } from '../rebuilds/write.ts';
import { nextTimestamp } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Precondition } from '../runtime/precondition.ts';
import { createRate, type Rate } from '../runtime/rate.ts';
import { assertIncludes } from '../tiers/feature.ts';
import { noMistakes, type Remarks } from '../wire/mistake.ts';
import type { Blog, BlogDetails, BlogPatch, CreatedBlog, NewBlog, UpdatedBlog } from './blog.ts';
import { patchSettings, type SettingsPatch } from './blog-settings.ts';
import { createBlog } from './create-blog.ts';
import { assertFrontPageFits, remarksOnFrontPage } from './front-page.ts';
import { findAccessibleBlog } from './open-blog.ts';
import * as store from './store.ts';
import type { Layouts, Report } from './theme/layouts.ts';
import type { OwnerHtmls } from './theme/owner-html.ts';
import { type OwnerHtml, patchOwnerHtml, patchTheme, themeKeys } from './theme/theme.ts';

/** A day's changes of a blog's slug: each writes the whole blog, and its redirects, into another folder. */
export const MAX_SLUG_CHANGES = 10;
const DAY_SECONDS = 24 * 60 * 60;

export interface Blogs {
  /** The caller's blogs, oldest first: the bound one alone where the credential is bound. */
  list(caller: Caller): Promise<Blog[]>;
  /** Throws as `createBlog` does. */
  create(caller: Caller, input: NewBlog): Promise<CreatedBlog>;
  /**
   * Throws `not_found` for a blog that the credential cannot access, `forbidden` for setting a theme key that the
   * tier does not include (removing a key is always allowed), and `bad_request` for an invalid layout or invalid
   * owner HTML. For a new slug, throws as `changeSlug` does, and `rate_limit_exceeded` after `MAX_SLUG_CHANGES`.
   * Reports what is probably wrong with a layout before it writes.
   */
  update(caller: Caller, blogId: string, patch: BlogPatch, checks?: UpdateChecks): Promise<UpdatedBlog>;
  /** What is odd about the written settings of a blog beside its posts. */
  remarks(blogId: string, written: SettingsPatch): Promise<Remarks>;
  /** Throws `not_found` for a blog that the credential cannot access. */
  get(caller: Caller, blogId: string): Promise<BlogDetails>;
  /**
   * The blog that a request acts on: the requested one, else the one that the credential is bound to, else the
   * account's oldest. Throws `forbidden` if the credential is bound to another blog, and `not_found` if there is
   * none.
   */
  select(caller: Caller, blogId: string | undefined): Promise<Blog>;
}

export interface UpdateChecks {
  readonly assertCurrent?: Precondition;
  readonly report?: Report;
}

/** The uploaded images that blogs use. */
export interface BlogPictures {
  /**
   * Settings with references to images of the account in place of addresses, and with the icon that pages have until a
   * new one is made: that which they had with the `former` settings. Throws `bad_request` for an icon that is no image
   * of the account.
   */
  withReferences(
    tx: Db,
    accountId: string,
    settings: BlogSettings,
    former: BlogSettings,
  ): Promise<BlogSettings>;
  /** Records the images that a blog uses, and has the files of its icon made. */
  claim(tx: Db, blogId: string, settings: BlogSettings, now: string): Promise<void>;
}

export interface BlogsDependencies {
  readonly db: Db;
  readonly upgradeUrl: string;
  /** Slug of the blog at the blog host itself, which cannot get another. */
  readonly rootBlog: string | null;
  /** Called in the transaction that gives a blog its slug. */
  readonly claimRootHost: (tx: Db, blog: Blog, now: string) => Promise<void>;
  /** Throws `bad_request` for an invalid layout. */
  readonly assertLayoutUsable: Layouts['assertValid'];
  readonly balanceOwnerHtml: OwnerHtmls['balance'];
  readonly pictures: BlogPictures;
  readonly write: Writer;
}

export function createBlogs({
  db,
  upgradeUrl,
  rootBlog,
  claimRootHost,
  assertLayoutUsable,
  balanceOwnerHtml,
  pictures,
  write,
}: BlogsDependencies): Blogs {
  const slugChanges = createRate({
    times: MAX_SLUG_CHANGES,
    seconds: DAY_SECONDS,
    refusal: `slug: a blog may have ${MAX_SLUG_CHANGES} changes of its slug a day`,
  });
  return {
    async list(caller) {
      const ofAccount = await store.listBlogs(db, caller.accountId);
      return ofAccount.filter((blog) => canAccess(caller, blog));
    },

    create: (caller, input) =>
      write(async (tx, now) => {
        const created = await createBlog(tx, caller, input, now, upgradeUrl);
        await claimRootHost(tx, created.blog, now);
        return created;
      }),

    async get(caller, blogId) {
      const blog = await findAccessibleBlog(db, caller, blogId);
      return { blog, ...(await store.findAppearance(db, blogId)) };
    },

    async update(caller, blogId, patch, { assertCurrent: check, report = () => {} } = {}) {
      const { themeConfig = {} } = patch;
      const changedKeys = themeKeys.filter((key) => themeConfig[key]);
      if (changedKeys.length > 0) {
        // Checking a layout or owner HTML is slow, so it happens before the transaction.
        check?.(await findAccessibleBlog(db, caller, blogId));
        for (const key of changedKeys) assertIncludes(caller.tier, key, upgradeUrl);
      }
      if (themeConfig.layout) await assertLayoutUsable(caller, themeConfig.layout, report);
      const balancedHtml = await balanceOwnerHtml(caller.accountId, themeConfig);
      return write(async (tx, now) => {
        const blog = await findAccessibleBlog(tx, caller, blogId);
        check?.(blog);
        if (blog.slug === rootBlog && (patch.slug ?? rootBlog) !== rootBlog) throw rootSlugError(rootBlog);
        const updated = await updateBlog(tx, { pictures, slugChanges }, blog, patch, balancedHtml, now);
        if (updated.blog.slug !== blog.slug) await claimRootHost(tx, updated.blog, now);
        return updated;
      });
    },

    async remarks(blogId, { frontPage }) {
      return frontPage ? remarksOnFrontPage(db, blogId, frontPage) : noMistakes;
    },

    async select(caller, blogId) {
      if (caller.boundBlogId !== null && blogId !== undefined && blogId !== caller.boundBlogId) {
        throw new DomainError(
          'forbidden',
          'X-Blog-Id: this API key is bound to another blog; leave the header out',
          { guide: 'blogs' },
        );
      }
      const id = blogId ?? caller.boundBlogId;
      const blog =
        id === null ? await store.findFirstBlog(db, caller.accountId) : await store.findBlog(db, id);
      if (!blog || !canAccess(caller, blog)) {
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

const rootSlugError = (slug: string) =>
  new DomainError(
    'conflict',
    `slug: the setting PLATEN_BLOG of this server names the blog "${slug}": change that first`,
  );

async function updateBlog(
  tx: Db,
  { pictures, slugChanges }: { readonly pictures: BlogPictures; readonly slugChanges: Rate },
  blog: Blog,
  patch: BlogPatch,
  balancedHtml: OwnerHtml,
  now: string,
): Promise<UpdatedBlog> {
  const { slug = blog.slug, name = blog.name, description = blog.description } = patch;
  const { themeConfig = {}, settings = {} } = patch;
  const appearance = await store.findAppearance(tx, blog.id);
  const patched = {
    themeConfig: patchTheme(appearance.themeConfig, themeConfig),
    ownerHtml: patchOwnerHtml(appearance.ownerHtml, themeConfig, balancedHtml),
    settings: await pictures.withReferences(
      tx,
      blog.accountId,
      patchSettings(appearance.settings, settings),
      appearance.settings,
    ),
  };
  await assertFrontPageFits(tx, blog.id, appearance.settings.frontPage, patched.settings.frontPage);
  const before = [blog.slug, blog.name, blog.description, appearance];
  if (isDeepStrictEqual([slug, name, description, patched], before)) {
    return { blog, ...appearance, rebuildId: null };
  }
  if (slug !== blog.slug) {
    await changeSlug(tx, blog, slug, now);
    // Last: a refused change is none.
    await slugChanges.take(blog.id);
  }
  const updatedAt = nextTimestamp(blog.updatedAt, now);
  const changed = { ...blog, slug, name, description, updatedAt };
  await store.updateBlog(tx, changed, patched);
  await pictures.claim(tx, blog.id, patched.settings, now);
  const rebuildId = await enqueueChange(tx, blog.id, { scope: 'blog' }, now);
  await logBlogAction(tx, changed);
  return { blog: changed, ...patched, rebuildId };
}
