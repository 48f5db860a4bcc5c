import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { OutputFile } from '../../generator/page.ts';
import type { ManifestEntry } from '../../generator/plan.ts';
import type { Db } from '../database/database.ts';
import { anyOf, rowsOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';

/**
 * What is on a blog's edge, file by file. A file is recorded only under the lease of the work that writes it. Any
 * process may mark an entry as uncertain.
 */

/** Rows per statement. Other connections can write in between. */
const ROWS_PER_STATEMENT = 500;

const ENTRIES_PER_QUERY = 1_000;

/**
 * Matches files outside the blogs' folders. Without exactly this expression, SQLite does not use the index on their
 * paths.
 */
export const isOutsideBlogFolders = sql<boolean>`substr(path, 1, 1) = '/'`;

const entriesOf = prepared((db, blogId: string, pages: readonly string[], paths: readonly string[]) => {
  const entries = db.selectFrom('manifest').select(['path', 'page', 'hash']).where('blog_id', '=', blogId);
  // With `union`, SQLite would scan the whole manifest to remove duplicates.
  return entries.where('page', 'in', anyOf(pages)).unionAll(entries.where('path', 'in', anyOf(paths)));
});

/** The files of the given pages and the files at the given paths. */
export async function findEntries(
  db: Db,
  blogId: string,
  { pages, paths }: { pages: readonly string[]; paths: readonly string[] },
): Promise<ManifestEntry[]> {
  if (pages.length === 0 && paths.length === 0) return [];
  const entries = await entriesOf(db, blogId, pages, paths);
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()];
}

/** All manifest entries of a blog, by path, in batches. The event loop runs other work in between. */
export async function* allEntries(db: Db, blogId: string): AsyncGenerator<ManifestEntry[]> {
  let after = '';
  while (true) {
    const entries = await db
      .selectFrom('manifest')
      .select(['path', 'page', 'hash'])
      .where('blog_id', '=', blogId)
      .where('path', '>', after)
      .orderBy('path')
      .limit(sql.lit(ENTRIES_PER_QUERY))
      .execute();
    if (entries.length > 0) yield entries;
    if (entries.length < ENTRIES_PER_QUERY) return;
    after = entries.at(-1)?.path ?? after;
    await setImmediate();
  }
}

export interface HostEntry extends ManifestEntry {
  readonly blogId: string;
}

/** Manifest entries of files outside the blogs' folders, by path, of one blog or of all. */
export async function* allHostEntries(db: Db, blogId: string | null): AsyncGenerator<HostEntry> {
  let after = '/';
  while (true) {
    const rows = await db
      .selectFrom('manifest')
      .select(['blog_id as blogId', 'path', 'page', 'hash'])
      .where('path', '>', after)
      .where(isOutsideBlogFolders)
      .$if(blogId !== null, (query) => query.where('blog_id', '=', blogId ?? ''))
      .orderBy('path')
      .limit(ENTRIES_PER_QUERY)
      .execute();
    yield* rows;
    if (rows.length < ENTRIES_PER_QUERY) return;
    after = rows.at(-1)?.path ?? after;
  }
}

/** The manifest entries, of any blog, for a path outside the blogs' folders. */
export async function findHostEntries(db: Db, path: string): Promise<HostEntry[]> {
  return db
    .selectFrom('manifest')
    .select(['blog_id as blogId', 'path', 'page', 'hash'])
    .where('path', '=', path)
    .where(isOutsideBlogFolders)
    .execute();
}

/** The entries whose page keys have this prefix. */
export async function findEntriesByPagePrefix(
  db: Db,
  blogId: string,
  prefix: string,
): Promise<ManifestEntry[]> {
  return db
    .selectFrom('manifest')
    .select(['path', 'page', 'hash'])
    .where('blog_id', '=', blogId)
    .where('page', '>=', prefix)
    .where('page', '<', `${prefix}\uffff`)
    .execute();
}

/** Pages with an uncertain file: a write or removal was declared and never recorded. */
export async function findUncertainPages(db: Db, blogId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('manifest')
    .select('page')
    .distinct()
    .where('blog_id', '=', blogId)
    .where('hash', '=', '')
    .execute();
  return rows.map((row) => row.page);
}

/** The uncertain entries. */
export async function findUncertainEntries(db: Db, blogId: string): Promise<ManifestEntry[]> {
  return db
    .selectFrom('manifest')
    .select(['path', 'page', 'hash'])
    .where('blog_id', '=', blogId)
    .where('hash', '=', '')
    .execute();
}

/** Records that files are about to be written. They are uncertain from now on. */
export async function intendWrites(db: Db, blogId: string, files: readonly OutputFile[]): Promise<void> {
  for (const some of inBatches(files.map(({ path, key }) => [path, key, ''])))
    await upsertIntents(db, blogId, some);
}

/** Records that intended writes have happened. */
export async function recordWrites(db: Db, blogId: string, files: readonly OutputFile[]): Promise<void> {
  for (const some of inBatches(files.map(({ path, key, hash }) => [path, key, hash]))) {
    await upsertRecords(db, blogId, some);
  }
}

/** Records that paths are about to be removed. They are uncertain from now on. */
export async function intendRemovals(db: Db, blogId: string, paths: readonly string[]): Promise<void> {
  for (const some of inBatches(paths)) {
    await db
      .updateTable('manifest')
      .set({ hash: '' })
      .where('blog_id', '=', blogId)
      .where('path', 'in', some)
      .execute();
  }
}

/** Marks the paths of these entries as uncertain, whatever has happened to them since. */
export async function markUncertain(
  db: Db,
  blogId: string,
  entries: readonly Pick<ManifestEntry, 'path' | 'page'>[],
): Promise<void> {
  for (const { path, page } of entries) {
    await db
      .insertInto('manifest')
      .values({ blog_id: blogId, path, page, hash: '' })
      .onConflict((oc) => oc.columns(['blog_id', 'path']).doUpdateSet({ hash: '' }))
      .execute();
  }
}

/** Marks all files of a blog as uncertain, for example when it moves to another edge. Returns their number. */
export async function markAllUncertain(db: Db, blogId: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('manifest')
    .set({ hash: '' })
    .where('blog_id', '=', blogId)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Records that the paths have been removed. */
export async function recordRemovals(db: Db, blogId: string, paths: readonly string[]): Promise<void> {
  for (const some of inBatches(paths)) {
    await db.deleteFrom('manifest').where('blog_id', '=', blogId).where('path', 'in', some).execute();
  }
}

/** A row of the manifest: path, page, hash. */
type Row = readonly string[];

const insertion = (db: Db, blogId: string, rows: readonly Row[]) =>
  db
    .insertInto('manifest')
    .columns(['blog_id', 'path', 'page', 'hash'])
    .expression((eb) =>
      eb
        .selectFrom(rowsOf(rows, ['path', 'page', 'hash']).as('row'))
        .select([eb.val(blogId).as('blog_id'), 'row.path', 'row.page', 'row.hash'])
        .where(sql.lit(true)),
    );

const upsertIntents = prepared((db, blogId: string, rows: readonly Row[]) =>
  insertion(db, blogId, rows).onConflict((oc) =>
    oc
      .columns(['blog_id', 'path'])
      .doUpdateSet((eb) => ({ page: eb.ref('excluded.page'), hash: eb.ref('excluded.hash') })),
  ),
);

/**
 * Keeps the page, which the intent has set. Setting it again would make SQLite rewrite an index, which takes 50 %
 * longer.
 */
const upsertRecords = prepared((db, blogId: string, rows: readonly Row[]) =>
  insertion(db, blogId, rows).onConflict((oc) =>
    oc.columns(['blog_id', 'path']).doUpdateSet((eb) => ({ hash: eb.ref('excluded.hash') })),
  ),
);

function* inBatches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += ROWS_PER_STATEMENT) {
    yield all.slice(from, from + ROWS_PER_STATEMENT);
  }
}
