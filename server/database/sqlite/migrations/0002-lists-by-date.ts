import { type Kysely, sql } from 'kysely';

/**
 * Lists are in order of publication, also where a post was tagged later than it was published. A list in which a post
 * stands elsewhere is numbered anew; all others keep the addresses of their pages.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('placements').addColumn('published_at', 'text').execute();
  await sql`
    update placements set published_at = (
      select coalesce(published_at, created_at) from posts where posts.id = placements.post_id)
    where list_page is not null`.execute(db);
  await sql`
    with ordered as (
      select blog_id, list, post_id, list_page,
        row_number() over by_date as position, lag(list_page) over by_date as page_before
      from placements where list_page is not null
      window by_date as (partition by blog_id, list order by published_at, post_id)
    ), numbered as (
      select post_id, list, (position - 1) / 10 + 1 as list_page from ordered
      where (blog_id, list) in (select blog_id, list from ordered where page_before > list_page)
    )
    update placements set list_page = numbered.list_page
    from numbered where numbered.post_id = placements.post_id and numbered.list = placements.list`.execute(
    db,
  );
  await db.schema
    .createIndex('placements_published_at')
    .on('placements')
    .columns(['blog_id', 'list', 'published_at', 'post_id', 'list_page'])
    .execute();
}
