import { type Kysely, sql } from 'kysely';

/**
 * What lists show of a post comes to stand before its long texts. SQLite reads a row from its beginning, and what lies
 * behind a long text costs reading that. And every rendering gets a name, under which what is made of it can be kept.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('slim_contents')
    .addColumn('post_id', 'text', (c) => c.primaryKey().references('posts.id').onDelete('cascade'))
    .addColumn('renderer', 'integer', (c) => c.notNull())
    .addColumn('edition', 'text', (c) => c.notNull())
    .addColumn('lang', 'text')
    .addColumn('word_count', 'integer', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('headings', 'text', (c) => c.notNull())
    .addColumn('html', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .execute();
  const columns = sql.raw('post_id, renderer, lang, word_count, description, headings, html, source, text');
  await sql`
    insert into slim_contents (edition, ${columns})
    select lower(hex(randomblob(16))), ${columns} from post_contents`.execute(db);
  await db.schema.dropTable('post_contents').execute();
  await db.schema.alterTable('slim_contents').renameTo('post_contents').execute();
  await db.schema
    .createIndex('post_contents_renderer')
    .on('post_contents')
    .columns(['renderer', 'post_id'])
    .execute();
}
