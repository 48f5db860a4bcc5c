import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
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

const pathsBelow = prepared((db, blogId: string, from: string, to: string) =>
  db
    .selectFrom('owner_redirects')
    .select('path')
    .where('blog_id', '=', blogId)
    .where('path', '>', from)
    .where('path', '<', to)
    .limit(sql.lit(1)),
);

/** The path of a redirect whose file lies below a path, as if that were a folder; null if there is none. */
export async function findPathBelow(db: Db, blogId: string, path: string): Promise<string | null> {
  // The character after the slash ends the range of paths below.
  const [found] = await pathsBelow(db, blogId, `${path}/`, `${path}0`);
  return found?.path ?? null;
}

/** The redirects at these paths, by path. */
export async function findRedirectsAt(
  db: Db,
  blogId: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, OwnerRedirect>> {
  const found = new Map<string, OwnerRedirect>();
  for (const some of inChunks(paths)) {
    const rows = await redirects(db, blogId).where('path', 'in', some).execute();
    for (const redirect of rows) found.set(redirect.path, redirect);
  }
  return found;
}

export async function insertRedirects(
  db: Db,
  blogId: string,
  created: readonly OwnerRedirect[],
): Promise<void> {
  for (const some of inChunks(created)) {
    const rows = some.map(({ id, path, target, createdAt, updatedAt }) => ({
      ...{ id, blog_id: blogId, path, target },
      ...{ created_at: createdAt, updated_at: updatedAt },
    }));
    await db.insertInto('owner_redirects').values(rows).execute();
  }
}

/** Rows per statement. */
const ROWS_PER_STATEMENT = 500;

function* inChunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += ROWS_PER_STATEMENT)
    yield all.slice(from, from + ROWS_PER_STATEMENT);
}

export async function updateTarget(db: Db, id: string, target: string, updatedAt: string): Promise<void> {
  await db
    .updateTable('owner_redirects')
    .set({ target, updated_at: updatedAt })
    .where('id', '=', id)
    .execute();
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

/** The paths of all redirects of a blog. */
export async function allPaths(db: Db, blogId: string): Promise<string[]> {
  const rows = await redirects(db, blogId).orderBy('path').execute();
  return rows.map(({ path }) => path);
}
