import { type Kysely, sql } from 'kysely';

/**
 * The number of published posts of each tag and of each month, which counting would take longer for the longer a list
 * is. Triggers keep it, so that it holds however a placement comes and goes: posts are also deleted with their blog.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table list_sizes (
      blog_id text not null references blogs (id) on delete cascade,
      kind text not null,
      list text not null,
      posts integer not null,
      primary key (blog_id, kind, list)
    ) without rowid`.execute(db);
  await sql`
    insert into list_sizes (blog_id, kind, list, posts)
    select blog_id, ${kindOf('placements')}, list, count(*) from placements
    where list_page is not null and ${isCounted('placements')} group by blog_id, list`.execute(db);
  await trigger(db, 'placement_added', 'insert', isShown('new'), added);
  await trigger(db, 'placement_removed', 'delete', isShown('old'), removed);
  await trigger(
    db,
    'placement_shown',
    'update of list_page',
    sql`old.list_page is null and ${isShown('new')}`,
    added,
  );
  await trigger(
    db,
    'placement_hidden',
    'update of list_page',
    sql`new.list_page is null and ${isShown('old')}`,
    removed,
  );
}

type Row = 'new' | 'old' | 'placements';

/** Tags and months. The blog's own list has no name, and lists without pages begin with a sign. */
const isCounted = (row: Row) =>
  sql`${sql.ref(`${row}.list`)} <> '' and ${sql.ref(`${row}.list`)} not like '#%'`;
const isShown = (row: Row) => sql`${sql.ref(`${row}.list_page`)} is not null and ${isCounted(row)}`;
const kindOf = (row: Row) => sql`case when ${sql.ref(`${row}.list`)} like '@%' then 'month' else 'tag' end`;

const added = sql`
  insert into list_sizes (blog_id, kind, list, posts) values (new.blog_id, ${kindOf('new')}, new.list, 1)
  on conflict (blog_id, kind, list) do update set posts = posts + 1;`;

const ofOldList = sql`blog_id = old.blog_id and kind = ${kindOf('old')} and list = old.list`;
const removed = sql`
  update list_sizes set posts = posts - 1 where ${ofOldList};
  delete from list_sizes where ${ofOldList} and posts = 0;`;

const trigger = (db: Kysely<unknown>, name: string, event: string, condition: unknown, work: unknown) =>
  sql`create trigger ${sql.raw(name)} after ${sql.raw(event)} on placements when ${condition} begin ${work} end`.execute(
    db,
  );
