import { type Kysely, sql } from 'kysely';

/** Published posts belong to the list of their month as well: runs of ten, in the order of publication. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into placements (blog_id, list, run, post_id)
    select blog_id, '@' || substr(published_at, 1, 7),
      (row_number() over (
        partition by blog_id, substr(published_at, 1, 7) order by published_at, id
      ) - 1) / 10 + 1,
      id
    from posts where status = 'published' and published_at is not null`.execute(db);
}
