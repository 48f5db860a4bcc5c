import { type Kysely, sql } from 'kysely';

/** Search through the API, by a full-text index, and the state of the search index that readers get. */
export async function createSearchTables(db: Kysely<unknown>): Promise<void> {
  await createFullTextIndex(db);

  await db.schema
    .createTable('search_indexes')
    .addColumn('blog_id', 'text', (c) => c.primaryKey().references('blogs.id').onDelete('cascade'))
    .addColumn('built_by', 'text')
    .addColumn('due_at', 'text')
    .addColumn('not_before', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('search_indexes_due').on('search_indexes').column('due_at').execute();

  await db.schema
    .createTable('search_changes')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id').onDelete('cascade'))
    .addColumn('post_id', 'text', (c) => c.notNull().unique())
    .addColumn('published', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('search_changes_blog')
    .on('search_changes')
    .columns(['blog_id', 'published', 'id'])
    .execute();
}

/**
 * `search_words` holds words but no texts, and deletes by row id alone; the trigger deletes a post's words however its
 * row goes. `prefix`: words that begin with one letter are most of the vocabulary, and merging them would take seconds.
 * Words arrive folded, so the tokenizer only splits them at spaces; it must keep the characters that keys begin with
 * (`Co`) and the signs of `c++` and `c#`.
 */
async function createFullTextIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_rows')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('post_id', 'text', (c) => c.notNull().unique().references('posts.id').onDelete('cascade'))
    .addColumn('excerpt', 'text', (c) => c.notNull())
    .execute();
  await sql`
    create virtual table search_words using fts5 (
      title, description, headings, tags, keys,
      content = '', contentless_delete = 1, prefix = '1',
      tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co' tokenchars '+#'"
    )`.execute(db);
  await sql`
    create trigger search_rows_delete after delete on search_rows begin
      delete from search_words where rowid = old.id;
    end`.execute(db);
}
