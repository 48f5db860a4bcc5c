import type { Db } from '../../server/database/database.ts';

const tables = [
  'accounts',
  'blogs',
  'credentials',
  'posts',
  'post_contents',
  'placements',
  'list_sizes',
  'redirects',
  'owner_redirects',
  'former_slugs',
  'images',
  'monthly_posts',
] as const;

/** All rows that clients have written: equal before and after a request that writes nothing. */
export async function writtenRows(db: Db): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of tables) rows[table] = await db.selectFrom(table).selectAll().execute();
  // The builder writes a note of its own there, and the scheduler writes last-used times.
  rows.blogs = rows.blogs?.map((blog) => ({ ...Object(blog), built_with: null })) ?? [];
  rows.credentials = rows.credentials?.map((key) => ({ ...Object(key), last_used_at: null })) ?? [];
  return rows;
}
