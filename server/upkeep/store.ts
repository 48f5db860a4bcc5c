import { sql } from 'kysely';
import type { ManifestEntry } from '../../generator/plan.ts';
import type { Db } from '../database/database.ts';
import { blogWork } from '../rebuilds/leases-store.ts';

/** What edge verification and repair read from the database, and what they record there for a builder to act on. */

/** A blog that has files on the edge, or should have some. */
export interface EdgeBlog {
  readonly id: string;
  readonly slug: string;
  /** The name of its folder on the edge. */
  readonly folder: string;
  /** Whether it has been deleted, so that its files are about to be removed. */
  readonly isDeleted: boolean;
}

/** Every blog, in byte order of its folder. */
export async function listEdgeBlogs(db: Db): Promise<EdgeBlog[]> {
  const blogs = await db.selectFrom('blogs').select(['id', 'slug', 'folder']).execute();
  const deleted = await db
    .selectFrom('removals')
    .select(['blog_id as id', 'slug', 'slug as folder'])
    .execute();
  const all = [
    ...blogs.map((blog) => ({ ...blog, isDeleted: false })),
    ...deleted.map((blog) => ({ ...blog, isDeleted: true })),
  ];
  return all.sort((one, other) =>
    Buffer.compare(Buffer.from(`${one.folder}/`), Buffer.from(`${other.folder}/`)),
  );
}

/** The blog, deleted or not, with this slug or in this folder. */
export async function findEdgeBlog(
  db: Db,
  by: { readonly slug: string } | { readonly folder: string },
): Promise<EdgeBlog | null> {
  const [column, name] = 'slug' in by ? (['slug', by.slug] as const) : (['folder', by.folder] as const);
  const blogs = db.selectFrom('blogs').select(['id', 'slug', 'folder']).where(column, '=', name);
  const blog = await blogs.executeTakeFirst();
  if (blog) return { ...blog, isDeleted: false };
  const removals = db.selectFrom('removals').select(['blog_id as id', 'slug', 'slug as folder']);
  const deleted = await removals.where('slug', '=', name).executeTakeFirst();
  return deleted ? { ...deleted, isDeleted: true } : null;
}

/** Work that has not reached the edge yet. */
export interface PendingWork {
  /** Changes that no rebuild has published yet. */
  readonly changes: number;
  /** Rebuilds that are queued or running. */
  readonly rebuilds: number;
  /** Rebuilds that have failed. They are retried every minute, except those of blogs that were set aside. */
  readonly failed: number;
  /** Preview cards to draw. */
  readonly cards: number;
  /** Deleted blogs whose files are about to be removed. */
  readonly removals: number;
}

export async function countPendingWork(db: Db, blogId: string | null): Promise<PendingWork> {
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

/** Whether the search index of a blog is due and has not been given up. */
export async function isSearchIndexDue(db: Db, blogId: string): Promise<boolean> {
  const row = await db
    .selectFrom('search_indexes')
    .select('due_at')
    .where('blog_id', '=', blogId)
    .where('due_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a builder works on a blog, or is about to. */
export async function hasActiveBuilder(db: Db, blogId: string): Promise<boolean> {
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

/** Whether all rebuilds of a blog have ended, and the error of one that failed. */
export async function findRebuildOutcome(
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
 * Marks a path as uncertain if its entry has not changed. If it has, a builder is at work there and knows better.
 * Returns whether it was marked.
 */
export async function markEntryUncertain(
  db: Db,
  blogId: string,
  { path, hash }: ManifestEntry,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('manifest')
    .set({ hash: '' })
    .where('blog_id', '=', blogId)
    .where('path', '=', path)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Adds an uncertain entry for a path, unless the manifest has one by now. Returns whether it was added. */
export async function adoptUnknownFile(db: Db, blogId: string, path: string, page: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('manifest')
    .values({ blog_id: blogId, path, page, hash: '' })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Blogs with failed rebuilds, or only this blog if it has any. */
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

/** Whether a repair of a blog is queued, which would include what is recorded now. */
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
 * A text that changes with every change to what should be on a blog's edge, and with every step towards it that is
 * not part of a rebuild.
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

/** The distinct fingerprints that blogs were last built with. */
export async function findFingerprints(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('blogs').select('built_with').distinct().execute();
  return rows.flatMap(({ built_with }) => built_with ?? []);
}
