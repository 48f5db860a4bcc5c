import type { OutputFile } from '../../generator/page.ts';
import type { ManifestEntry } from '../../generator/plan.ts';
import type { Db } from './database.ts';

/** What is on a blog's edge, file by file. Only whoever holds the blog's rebuild writes it, cards apart. */

/** SQLite takes 32,766 parameters in a statement; a row has four. */
const ROWS_PER_STATEMENT = 500;

/** The files of the given pages and the files at the given paths. */
export async function findEntries(
  db: Db,
  blogId: string,
  { pages, paths }: { pages: readonly string[]; paths: readonly string[] },
): Promise<ManifestEntry[]> {
  if (pages.length === 0 && paths.length === 0) return [];
  const byPath = db
    .selectFrom('manifest')
    .select(['path', 'page', 'hash'])
    .where('blog_id', '=', blogId)
    .where('path', 'in', paths);
  const entries = await db
    .selectFrom('manifest')
    .select(['path', 'page', 'hash'])
    .where('blog_id', '=', blogId)
    .where('page', 'in', pages)
    // To drop doubles itself, SQLite would walk through the whole manifest.
    .unionAll(byPath)
    .execute();
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()];
}

/** All paths of a blog's edge. */
export async function allEntries(db: Db, blogId: string): Promise<ManifestEntry[]> {
  return db
    .selectFrom('manifest')
    .select(['path', 'page', 'hash'])
    .where('blog_id', '=', blogId)
    .orderBy('path')
    .execute();
}

/** Pages with a write that was intended and never confirmed: what lies at their paths is not known. */
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

/** Notes that the files are about to be written: from now on nothing is known of what lies at their paths. */
export const intendWrites = (db: Db, blogId: string, files: readonly OutputFile[]): Promise<void> =>
  upsert(
    db,
    blogId,
    files.map(({ path, key }) => ({ path, page: key, hash: '' })),
  );

/** Notes that the files have been written. */
export const recordWrites = (db: Db, blogId: string, files: readonly OutputFile[]): Promise<void> =>
  upsert(
    db,
    blogId,
    files.map(({ path, key, hash }) => ({ path, page: key, hash })),
  );

/** Notes that nothing lies at the paths any more. */
export async function recordRemovals(db: Db, blogId: string, paths: readonly string[]): Promise<void> {
  for (let from = 0; from < paths.length; from += ROWS_PER_STATEMENT) {
    await db
      .deleteFrom('manifest')
      .where('blog_id', '=', blogId)
      .where('path', 'in', paths.slice(from, from + ROWS_PER_STATEMENT))
      .execute();
  }
}

async function upsert(db: Db, blogId: string, entries: readonly ManifestEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += ROWS_PER_STATEMENT) {
    await db
      .insertInto('manifest')
      .values(entries.slice(from, from + ROWS_PER_STATEMENT).map((entry) => ({ blog_id: blogId, ...entry })))
      .onConflict((oc) =>
        oc.columns(['blog_id', 'path']).doUpdateSet((eb) => ({
          page: eb.ref('excluded.page'),
          hash: eb.ref('excluded.hash'),
        })),
      )
      .execute();
  }
}
