import { sql } from 'kysely';
import type { BlogSettings } from '../../generator/site.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import { whileUnchanged } from '../database/while-unchanged.ts';
import { defaultSettings, patchSettings } from './blog-settings.ts';
import type { Removable } from './take-down.ts';
import { type OwnerHtml, patchTheme, type ThemeConfig } from './theme.ts';

export interface Blog extends Removable {
  readonly id: string;
  readonly accountId: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** As its owner has registered it. */
  readonly customDomain: string | null;
  /** The same where its DNS leads to the blog: then readers find the blog there. */
  readonly domain: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const blogs = (db: Db) =>
  db
    .selectFrom('blogs')
    .leftJoin('domains', (join) =>
      join.onRef('domains.blog_id', '=', 'blogs.id').on('domains.status', '=', 'active'),
    )
    .select([
      'blogs.id',
      'blogs.account_id as accountId',
      'blogs.slug',
      'blogs.name',
      'blogs.description',
      'blogs.custom_domain as customDomain',
      'blogs.created_at as createdAt',
      'blogs.updated_at as updatedAt',
      'blogs.taken_down_at as takenDownAt',
      'blogs.taken_down_reason as takenDownReason',
    ])
    .select((eb) =>
      eb
        .case()
        .when('domains.blog_id', 'is not', null)
        .then(eb.ref('blogs.custom_domain'))
        .else(null)
        .end()
        .as('domain'),
    );

/** A new blog has no HTML of its owner's, which is what this version makes of it too. */
export async function insertBlog(db: Db, blog: Blog, ownerHtmlVersion: number): Promise<void> {
  await db
    .insertInto('blogs')
    .values({
      id: blog.id,
      account_id: blog.accountId,
      slug: blog.slug,
      name: blog.name,
      description: blog.description,
      custom_domain: blog.customDomain,
      owner_html_version: ownerHtmlVersion,
      built_with: null,
      created_at: blog.createdAt,
      updated_at: blog.updatedAt,
    })
    .execute();
}

const withId = whileUnchanged(prepared((db, id: string) => blogs(db).where('blogs.id', '=', id)));

/** The blog that has a slug. */
export async function findBlogNamed(db: Db, slug: string): Promise<Blog | null> {
  const blog = await blogs(db).where('blogs.slug', '=', slug).executeTakeFirst();
  return blog ?? null;
}

export async function findBlog(db: Db, id: string): Promise<Blog | null> {
  const [blog] = await withId(db, id);
  return blog ?? null;
}

export async function isBlogSlugTaken(db: Db, slug: string): Promise<boolean> {
  return (
    (await db.selectFrom('blogs').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined
  );
}

/** What an owner has set of a blog's looks. It may be large and is therefore not part of `Blog`. */
export interface Look {
  readonly themeConfig: ThemeConfig;
  readonly ownerHtml: OwnerHtml;
  readonly settings: BlogSettings;
}

/** Replaces what an owner may change of a blog. */
export async function updateBlog(
  db: Db,
  blog: Blog,
  { themeConfig, ownerHtml, settings }: Look,
): Promise<void> {
  const { name, description, updatedAt } = blog;
  await db
    .updateTable('blogs')
    .set({
      name,
      description,
      theme_config: JSON.stringify(themeConfig),
      owner_html: JSON.stringify(ownerHtml),
      settings: JSON.stringify(settings),
      updated_at: updatedAt,
    })
    .where('id', '=', blog.id)
    .execute();
}

export async function findLook(db: Db, id: string): Promise<Look> {
  const row = await db
    .selectFrom('blogs')
    .select(['theme_config', 'owner_html', 'settings'])
    .where('id', '=', id)
    .executeTakeFirst();
  return {
    themeConfig: patchTheme({}, JSON.parse(row?.theme_config ?? '{}')),
    ownerHtml: JSON.parse(row?.owner_html ?? '{}'),
    settings: patchSettings(defaultSettings, JSON.parse(row?.settings ?? '{}')),
  };
}

const blogsOf = (db: Db, accountId: string) =>
  blogs(db).where('blogs.account_id', '=', accountId).orderBy('blogs.created_at').orderBy('blogs.id');

/** An account's blogs, oldest first. */
export async function listBlogs(db: Db, accountId: string): Promise<Blog[]> {
  return blogsOf(db, accountId).execute();
}

const firstOf = whileUnchanged(prepared((db, accountId: string) => blogsOf(db, accountId).limit(sql.lit(1))));

/** The blog that a credential acts on when it names none: the account's oldest. */
export async function findFirstBlog(db: Db, accountId: string): Promise<Blog | null> {
  const [blog] = await firstOf(db, accountId);
  return blog ?? null;
}

export async function countBlogs(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('blogs')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.countAll<number>().as('blogs'))
    .executeTakeFirstOrThrow();
  return Number(row.blogs);
}

/** Blogs whose pages were pressed with something else than `fingerprint`, and with what; null where it is not known. */
export async function findBlogsPressedOtherwise(
  db: Db,
  fingerprint: string,
): Promise<{ readonly id: string; readonly pressedWith: string | null }[]> {
  return db
    .selectFrom('blogs')
    .select(['id', 'built_with as pressedWith'])
    .where((eb) => eb.or([eb('built_with', 'is', null), eb('built_with', '!=', fingerprint)]))
    .execute();
}

export async function setPressedWith(db: Db, blogId: string, fingerprint: string | null): Promise<void> {
  await db.updateTable('blogs').set({ built_with: fingerprint }).where('id', '=', blogId).execute();
}
