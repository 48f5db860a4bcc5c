import { sql } from 'kysely';
import type { CountedLists } from '../../generator/site/list.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';

/** Most lists whose sizes are read at once. */
export const MAX_SIZES = 500;

/**
 * The number of published posts by list, of all tags or of all months (`@2026-11`), as triggers keep it; null if there
 * are more than `MAX_SIZES` lists. Costs no more than that, however large the blog is.
 */
export async function findListSizes(
  db: Db,
  blogId: string,
  kind: CountedLists,
): Promise<ReadonlyMap<string, number> | null> {
  const rows = await sizesOf(db, blogId, kind);
  return rows.length > MAX_SIZES ? null : new Map(rows.map(({ list, posts }) => [list, posts]));
}

const sizesOf = prepared((db, blogId: string, kind: CountedLists) =>
  db
    .selectFrom('list_sizes')
    .select(['list', 'posts'])
    .where('blog_id', '=', blogId)
    .where('kind', '=', kind)
    .limit(sql.lit(MAX_SIZES + 1)),
);
