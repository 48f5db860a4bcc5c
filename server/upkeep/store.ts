import { sql } from 'kysely';
import type { ManifestEntry } from '../../generator/plan.ts';
import type { Db } from '../database/database.ts';
import { blogWork } from '../rebuilds/leases-store.ts';

/** What the upkeep of an edge asks of the database, and notes there for a builder to act on. */

/** A blog that has files on the edge, or is to have some. */
export interface EdgeBlog {
  readonly id: string;
  readonly slug: string;
  /** Whether it has been deleted, and its files are about to go. */
  readonly isGoing: boolean;
}

/** Every blog, in the order of the bytes of its folder, or the one that has a slug. */
export async function listEdgeBlogs(db: Db, slug: string | null = null): Promise<EdgeBlog[]> {
  const blogs = await db
    .selectFrom('blogs')
    .select(['id', 'slug'])
    .$if(slug !== null, (query) => query.where('slug', '=', slug ?? ''))
    .execute();
  const going = await db
    .selectFrom('removals')
    .select(['blog_id as id', 'slug'])
    .$if(slug !== null, (query) => query.where('slug', '=', slug ?? ''))
    .execute();
  const all = [
    ...blogs.map((blog) => ({ ...blog, isGoing: false })),
    ...going.map((blog) => ({ ...blog, isGoing: true })),
  ];
  return all.sort((one, other) => Buffer.compare(Buffer.from(`${one.slug}/`), Buffer.from(`${other.slug}/`)));
}

/** The blog that has the folder of a slug, deleted or not. */
export async function findEdgeBlog(db: Db, slug: string): Promise<EdgeBlog | null> {
  const [blog] = await listEdgeBlogs(db, slug);
  return blog ?? null;
}

/** What is known to be on its way to the edge. */
export interface Waiting {
  /** Changes that no rebuild has carried yet. */
  readonly changes: number;
  /** Rebuilds that are queued or at work. */
  readonly rebuilds: number;
  /** Rebuilds that have failed. They are tried again every minute, but for those of blogs that were set aside. */
  readonly failed: number;
  /** Preview cards to be drawn. */
  readonly cards: number;
  /** Deleted blogs whose files are about to go. */
  readonly removals: number;
}

export async function countWaiting(db: Db, blogId: string | null): Promise<Waiting> {
  const count = async (
    table: 'changes' | 'pending_cards' | 'rebuilds' | 'removals',
    ...statuses: string[]
  ): Promise<number> => {
    const rows = db
      .selectFrom(table)
      .$if(blogId !== null, (query) => query.where('blog_id', '=', blogId ?? ''));
    const { counted } = await rows
      .$if(statuses.length > 0, (query) => query.where(sql.ref('status'), 'in', statuses))
      .select((eb) => eb.fn.countAll<number>().as('counted'))
      .executeTakeFirstOrThrow();
    return Number(counted);
  };
  return {
    changes: await count('changes'),
    rebuilds: await count('rebuilds', 'queued', 'building'),
    failed: await count('rebuilds', 'failed'),
    cards: await count('pending_cards'),
    removals: await count('removals'),
  };
}

/** Whether the base of a blog's search is to be made, and has not been given up. */
export async function isBaseDue(db: Db, blogId: string): Promise<boolean> {
  const row = await db
    .selectFrom('search_indexes')
    .select('due_at')
    .where('blog_id', '=', blogId)
    .where('due_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a builder works for a blog, or is about to. */
export async function isWorkedOn(db: Db, blogId: string): Promise<boolean> {
  const rebuild = await db
    .selectFrom('rebuilds')
    .select('id')
    .where('blog_id', '=', blogId)
    .where('status', 'in', ['queued', 'building'])
    .executeTakeFirst();
  const lease = await db
    .selectFrom('leases')
    .select('work_id')
    .where('blog_id', '=', blogId)
    .executeTakeFirst();
  return rebuild !== undefined || lease !== undefined;
}

/** Whether a blog's rebuilds have come to their ends; the message of one that has failed. */
export async function findOutcome(
  db: Db,
  blogId: string,
): Promise<{ isOver: boolean; error: string | null }> {
  const rows = await db
    .selectFrom('rebuilds')
    .select(['status', 'error'])
    .where('blog_id', '=', blogId)
    .where('status', '<>', 'live')
    .execute();
  const isClaimed = await db
    .selectFrom('leases')
    .select('work_id')
    .where('work_id', '=', blogWork(blogId))
    .executeTakeFirst();
  const isOver = isClaimed === undefined && rows.every(({ status }) => status === 'failed');
  return { isOver, error: rows.find(({ status }) => status === 'failed')?.error ?? null };
}

/**
 * Notes that nothing is known of what lies at a path, where that is still what it was. Whatever builder is at work
 * there meanwhile knows better.
 */
export async function doubtEntry(db: Db, blogId: string, { path, hash }: ManifestEntry): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('manifest')
    .set({ hash: '' })
    .where('blog_id', '=', blogId)
    .where('path', '=', path)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Notes that something may lie at a path, unless the manifest knows it by now. */
export async function adoptStray(db: Db, blogId: string, path: string, page: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('manifest')
    .values({ blog_id: blogId, path, page, hash: '' })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Blogs, or whether it is this one, whose rebuilds have failed. */
export async function findFailedBlogs(db: Db, blogId: string | null): Promise<string[]> {
  const rows = await db
    .selectFrom('rebuilds')
    .select('blog_id')
    .distinct()
    .where('status', '=', 'failed')
    .$if(blogId !== null, (query) => query.where('blog_id', '=', blogId ?? ''))
    .execute();
  return rows.map((row) => row.blog_id);
}

/** Whether a repair of a blog waits already, for what is noted now to be taken along. */
export async function isRepairQueued(db: Db, blogId: string): Promise<boolean> {
  const row = await db
    .selectFrom('rebuilds')
    .select('id')
    .where('blog_id', '=', blogId)
    .where('status', '=', 'queued')
    .where('attempts', '>', 0)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Another text after every change to what a blog's edge is to be, and after every step towards it that others than the
 * press make.
 */
export async function findEdgeState(db: Db, blogId: string): Promise<string> {
  const of = (table: 'rebuilds' | 'changes' | 'pending_cards' | 'images') =>
    db.selectFrom(table).where('blog_id', '=', blogId);
  const rebuild = await of('rebuilds')
    .select((eb) => eb.fn.max('rebuilds.id').as('last'))
    .executeTakeFirst();
  const change = await of('changes')
    .select((eb) => [eb.fn.max('changes.id').as('last'), eb.fn.countAll().as('count')])
    .executeTakeFirst();
  const cards = await of('pending_cards')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirst();
  const base = await db
    .selectFrom('search_indexes')
    .select(['built_by', 'not_before'])
    .where('blog_id', '=', blogId)
    .executeTakeFirst();
  const images = await of('images')
    .leftJoin('image_variants', 'image_variants.image_id', 'images.id')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirst();
  return JSON.stringify([rebuild, change, cards, base, images]);
}

/** What blogs were pressed with, each once. */
export async function findFingerprints(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('blogs').select('built_with').distinct().execute();
  return rows.flatMap(({ built_with }) => built_with ?? []);
}
