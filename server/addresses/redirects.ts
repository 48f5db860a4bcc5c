import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';

/** Redirects from former slugs of posts. A redirect is permanent, until another post takes the slug. */

export async function addRedirect(db: Db, blogId: string, slug: string, postId: string): Promise<void> {
  await db.insertInto('redirects').values({ blog_id: blogId, slug, post_id: postId }).execute();
}

/** The post that a former slug redirects to, published or not. */
export async function findRedirectTarget(db: Db, blogId: string, slug: string): Promise<string | null> {
  const row = await db
    .selectFrom('redirects')
    .select('post_id')
    .where('blog_id', '=', blogId)
    .where('slug', '=', slug)
    .executeTakeFirst();
  return row?.post_id ?? null;
}

/** Number of former slugs that redirect to a post. */
export async function countRedirectsTo(db: Db, postId: string): Promise<number> {
  const row = await db
    .selectFrom('redirects')
    .select((eb) => eb.fn.countAll<number>().as('slugs'))
    .where('post_id', '=', postId)
    .executeTakeFirstOrThrow();
  return Number(row.slugs);
}

/** Number of former slugs of all posts of a blog, published or not. */
export async function countFormerSlugs(db: Db, blogId: string): Promise<number> {
  const row = await db
    .selectFrom('redirects')
    .select((eb) => eb.fn.countAll<number>().as('slugs'))
    .where('blog_id', '=', blogId)
    .executeTakeFirstOrThrow();
  return Number(row.slugs);
}

export async function removeRedirect(db: Db, blogId: string, slug: string): Promise<void> {
  await db.deleteFrom('redirects').where('blog_id', '=', blogId).where('slug', '=', slug).execute();
}

/** What uses a slug of a blog: a post, a redirect to one, or the list of posts where that is not at the root. */
export type SlugUse = 'post' | 'redirect' | 'list';

/** Null if the slug is free. */
export async function findSlugUse(db: Db, blogId: string, slug: string): Promise<SlugUse | null> {
  const [use] = await slugUseQuery(db, blogId, slug);
  if (use?.post) return 'post';
  if (use?.settings && isListSlug(use.settings, slug)) return 'list';
  return use?.redirect ? 'redirect' : null;
}

const slugUseQuery = prepared((db, blogId: string, slug: string) =>
  db.selectNoFrom((eb) => [
    eb.selectFrom('posts').select('id').where('blog_id', '=', blogId).where('slug', '=', slug).as('post'),
    eb
      .selectFrom('redirects')
      .select('post_id')
      .where('blog_id', '=', blogId)
      .where('slug', '=', slug)
      .as('redirect'),
    eb.selectFrom('blogs').select('settings').where('id', '=', blogId).as('settings'),
  ]),
);

/** `settings` is the JSON of a blog's settings. */
function isListSlug(settings: string, slug: string): boolean {
  const { frontPage }: { frontPage?: { list: string } | null } = JSON.parse(settings);
  return frontPage?.list === slug;
}

export async function allRedirects(db: Db, blogId: string): Promise<string[]> {
  const rows = await db.selectFrom('redirects').select('slug').where('blog_id', '=', blogId).execute();
  return rows.map((row) => row.slug);
}
