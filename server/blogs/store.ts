import { sql } from 'kysely';
import type { BlogSettings } from '../../generator/site/blog.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';
import { cachedUntilChange } from '../database/query-cache.ts';
import type { Appearance, Blog } from './blog.ts';
import { defaultSettings, patchSettings, type SettingsPatch } from './blog-settings.ts';
import { patchTheme } from './theme/theme.ts';

const selectBlogs = (db: Db) =>
  db
    .selectFrom('blogs')
    .leftJoin('domains', (join) =>
      join.onRef('domains.blog_id', '=', 'blogs.id').on('domains.status', '=', 'active'),
    )
    .select([
      'blogs.id',
      'blogs.account_id as accountId',
      'blogs.slug',
      'blogs.folder',
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

/** Inserts a blog without owner HTML, which is therefore up to date at this version. */
export async function insertBlog(db: Db, blog: Blog, ownerHtmlVersion: number): Promise<void> {
  await db
    .insertInto('blogs')
    .values({
      id: blog.id,
      account_id: blog.accountId,
      slug: blog.slug,
      folder: blog.folder,
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

const blogById = cachedUntilChange(prepared((db, id: string) => selectBlogs(db).where('blogs.id', '=', id)));

/** The blog with this slug. */
export async function findBlogBySlug(db: Db, slug: string): Promise<Blog | null> {
  const blog = await selectBlogs(db).where('blogs.slug', '=', slug).executeTakeFirst();
  return blog ?? null;
}

export async function findBlog(db: Db, id: string): Promise<Blog | null> {
  const [blog] = await blogById(db, id);
  return blog ?? null;
}

/** Replaces everything that an owner may change about a blog. */
export async function updateBlog(
  db: Db,
  blog: Blog,
  { themeConfig, ownerHtml, settings }: Appearance,
): Promise<void> {
  const { slug, name, description, updatedAt } = blog;
  await db
    .updateTable('blogs')
    .set({
      slug,
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

/** `updatedAt` is for changes that the API shows. */
export async function updateSettings(
  db: Db,
  blogId: string,
  settings: BlogSettings,
  updatedAt: string | null = null,
): Promise<void> {
  await db
    .updateTable('blogs')
    .set({ settings: JSON.stringify(settings), ...(updatedAt !== null && { updated_at: updatedAt }) })
    .where('id', '=', blogId)
    .execute();
}

/** Whether it is a `post` or a `page`, and its status; null if the blog has nothing with this slug. */
export async function findKindOfPost(
  db: Db,
  blogId: string,
  slug: string,
): Promise<{ readonly type: string; readonly status: string } | null> {
  const row = await db
    .selectFrom('posts')
    .select(['type', 'status'])
    .where('blog_id', '=', blogId)
    .where('slug', '=', slug)
    .executeTakeFirst();
  return row ?? null;
}

export async function findAppearance(db: Db, id: string): Promise<Appearance> {
  const row = await db
    .selectFrom('blogs')
    .select(['theme_config', 'owner_html', 'settings'])
    .where('id', '=', id)
    .executeTakeFirst();
  return {
    themeConfig: patchTheme({}, JSON.parse(row?.theme_config ?? '{}')),
    ownerHtml: JSON.parse(row?.owner_html ?? '{}'),
    settings: parseSettings(row?.settings ?? '{}'),
  };
}

/** Settings may have been stored before there were pictures of authors, and before icons had former ones. */
function parseSettings(json: string): BlogSettings {
  const { author, icon, ...settings }: SettingsPatch = JSON.parse(json);
  return patchSettings(defaultSettings, {
    ...settings,
    author: author && { ...author, image: author.image ?? null },
    icon: icon && { ...icon, former: icon.former ?? null },
  });
}

const selectBlogsOfAccount = (db: Db, accountId: string) =>
  selectBlogs(db).where('blogs.account_id', '=', accountId).orderBy('blogs.created_at').orderBy('blogs.id');

/** An account's blogs, oldest first. */
export async function listBlogs(db: Db, accountId: string): Promise<Blog[]> {
  return selectBlogsOfAccount(db, accountId).execute();
}

const firstBlogOf = cachedUntilChange(
  prepared((db, accountId: string) => selectBlogsOfAccount(db, accountId).limit(sql.lit(1))),
);

/** The blog that a credential acts on if the request names none: the account's oldest. */
export async function findFirstBlog(db: Db, accountId: string): Promise<Blog | null> {
  const [blog] = await firstBlogOf(db, accountId);
  return blog ?? null;
}

/** An account's oldest blog that is not taken down. */
export async function findOldestPublicBlog(db: Db, accountId: string): Promise<Blog | null> {
  const blogs = selectBlogsOfAccount(db, accountId).where('blogs.taken_down_at', 'is', null);
  return (await blogs.limit(sql.lit(1)).executeTakeFirst()) ?? null;
}

export async function countBlogs(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('blogs')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.countAll<number>().as('blogs'))
    .executeTakeFirstOrThrow();
  return Number(row.blogs);
}

/** Blogs whose pages were built with another fingerprint than this, and with which; null if that is unknown. */
export async function findOutdatedBlogs(
  db: Db,
  fingerprint: string,
): Promise<{ readonly id: string; readonly builtWith: string | null }[]> {
  return db
    .selectFrom('blogs')
    .select(['id', 'built_with as builtWith'])
    .where((eb) => eb.or([eb('built_with', 'is', null), eb('built_with', '!=', fingerprint)]))
    .execute();
}

export async function setBuildFingerprint(db: Db, blogId: string, fingerprint: string | null): Promise<void> {
  await db.updateTable('blogs').set({ built_with: fingerprint }).where('id', '=', blogId).execute();
}

/** Ids of the blogs that are taken down. */
export async function findTakenDownBlogs(db: Db): Promise<readonly string[]> {
  return (await takenDownBlogs(db)).map(({ id }) => id);
}

const takenDownBlogs = cachedUntilChange(
  prepared((db) => db.selectFrom('blogs').select('id').where('taken_down_at', 'is not', null).orderBy('id')),
);
