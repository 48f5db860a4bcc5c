import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

/**
 * The sitemap chunks of a list (so many list pages each, from 1) that have a post. Costs one index
 * lookup per chunk.
 */
export async function allSitemapChunks(
  db: Db,
  blogId: string,
  list: string,
  listPagesPerChunk: number,
): Promise<number[]> {
  // A literal: a bound number is not an integer here, so the division would give a fraction.
  const length = sql.lit(listPagesPerChunk);
  const firstListPageAfter = (pageNumber: unknown) =>
    sql<number | null>`(select min(list_page) from placements
      where blog_id = ${blogId} and list = ${list} and list_page > ${pageNumber})`;
  const { rows } = await sql<{ chunk: number }>`
    with recursive chunks(chunk) as (
      select (${firstListPageAfter(sql.lit(0))} + ${length} - 1) / ${length}
      union all
      select (${firstListPageAfter(sql`chunk * ${length}`)} + ${length} - 1) / ${length}
      from chunks where chunk is not null
    )
    select chunk from chunks where chunk is not null order by chunk`.execute(db);
  return rows.map((row) => row.chunk);
}
