import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { anyOf, rowsOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';
import type { OwnerRedirect } from './redirect.ts';

const redirects = (db: Db, blogId: string) =>
  db
    .selectFrom('owner_redirects')
    .select(['id', 'path', 'target', 'created_at as createdAt', 'updated_at as updatedAt'])
    .where('blog_id', '=', blogId);

/** A blog's redirects by path: all, or the one at a path. */
export async function listRedirects(
  db: Db,
  blogId: string,
  { path, page, perPage }: { path: string | null; page: number; perPage: number },
): Promise<{ redirects: OwnerRedirect[]; total: number }> {
  const found = redirects(db, blogId).$if(path !== null, (query) => query.where('path', '=', path ?? ''));
  const rows = await found
    .orderBy('path')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const total = path === null ? await countRedirects(db, blogId) : (await found.execute()).length;
  return { redirects: rows, total };
}

export async function countRedirects(db: Db, blogId: string): Promise<number> {
  const row = await db
    .selectFrom('owner_redirects')
    .select((eb) => eb.fn.countAll<number>().as('redirects'))
    .where('blog_id', '=', blogId)
    .executeTakeFirstOrThrow();
  return Number(row.redirects);
}

export async function findRedirect(
  db: Db,
  blogId: string,
  by: { readonly id: string } | { readonly path: string },
): Promise<OwnerRedirect | null> {
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['path', by.path] as const);
  return (await redirects(db, blogId).where(column, '=', value).executeTakeFirst()) ?? null;
}

/** A subquery for each range: of a join, SQLite would compare each redirect of the blog with each range. */
const pathsBelow = prepared((db, blogId: string, ranges: readonly (readonly string[])[]) =>
  db
    .selectFrom(rowsOf(ranges, ['file', 'start', 'end']).as('range'))
    .select((eb) => [
      'range.file',
      eb
        .selectFrom('owner_redirects')
        .select('path')
        .where('blog_id', '=', blogId)
        .whereRef('path', '>', 'range.start')
        .whereRef('path', '<', 'range.end')
        .limit(sql.lit(1))
        .as('path'),
    ]),
);

/** Paths of redirects whose files lie below these, as if they were folders: one for each that has any, by that path. */
export async function findPathsBelow(
  db: Db,
  blogId: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (files.length === 0) return new Map();
  // The character after the slash ends the range of paths below.
  const rows = await pathsBelow(
    db,
    blogId,
    files.map((file) => [file, `${file}/`, `${file}0`]),
  );
  return new Map(rows.flatMap(({ file, path }) => (path === null ? [] : [[file, path]])));
}

const redirectsAt = prepared((db, blogId: string, paths: readonly string[]) =>
  redirects(db, blogId).where('path', 'in', anyOf(paths)),
);

/** The redirects at these paths, by path. */
export async function findRedirectsAt(
  db: Db,
  blogId: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, OwnerRedirect>> {
  return new Map((await redirectsAt(db, blogId, paths)).map((redirect) => [redirect.path, redirect]));
}

const saveRows = prepared((db, blogId: string, rows: readonly (readonly string[])[]) =>
  db
    .insertInto('owner_redirects')
    .columns(['id', 'blog_id', 'path', 'target', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(rowsOf(rows, ['id', 'path', 'target', 'created_at', 'updated_at']).as('row'))
        .select(['row.id', eb.val(blogId).as('blog_id'), 'row.path', 'row.target'])
        .select(['row.created_at', 'row.updated_at'])
        .where(sql.lit(true)),
    )
    .onConflict((oc) =>
      oc.columns(['blog_id', 'path']).doUpdateSet((eb) => ({
        target: eb.ref('excluded.target'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    ),
);

/** Stores redirects. One at a path that has one already changes its target. */
export async function saveRedirects(db: Db, blogId: string, saved: readonly OwnerRedirect[]): Promise<void> {
  if (saved.length === 0) return;
  const rows = saved.map(({ id, path, target, createdAt, updatedAt }) => [
    ...[id, path, target],
    ...[createdAt, updatedAt],
  ]);
  await saveRows(db, blogId, rows);
}

export async function deleteRedirect(db: Db, id: string): Promise<void> {
  await db.deleteFrom('owner_redirects').where('id', '=', id).execute();
}

const targetsAt = prepared((db, blogId: string, paths: readonly string[]) =>
  db
    .selectFrom('owner_redirects')
    .select(['path', 'target'])
    .where('blog_id', '=', blogId)
    .where('path', 'in', anyOf(paths)),
);

/** Targets by path. */
export async function findTargets(
  db: Db,
  blogId: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const rows = await targetsAt(db, blogId, paths);
  return new Map(rows.map(({ path, target }) => [path, target]));
}

const pathsAfter = prepared((db, blogId: string, path: string) =>
  db
    .selectFrom('owner_redirects')
    .select('path')
    .where('blog_id', '=', blogId)
    .where('path', '>', path)
    .orderBy('path')
    .limit(sql.lit(PATHS_PER_STEP)),
);

const PATHS_PER_STEP = 1_000;

/** The paths of all redirects of a blog, some at a time, so that other work can run in between. */
export async function* pathsInSteps(db: Db, blogId: string): AsyncGenerator<string[]> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const rows: readonly { readonly path: string }[] = await pathsAfter(db, blogId, last);
    yield rows.map(({ path }) => path);
    last = rows.at(PATHS_PER_STEP - 1)?.path;
  }
}

/** The paths of all redirects of a blog. */
export async function allPaths(db: Db, blogId: string): Promise<string[]> {
  const rows = await redirects(db, blogId).orderBy('path').execute();
  return rows.map(({ path }) => path);
}
