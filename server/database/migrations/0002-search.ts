import { sql } from 'kysely';
import { indexPost } from '../../search/store.ts';
import type { Db } from '../database.ts';

/**
 * The index holds words and no texts, and deletes by row number alone. A post that goes, by whatever way, takes its
 * row along. `prefix`: what begins with one letter is most of the vocabulary, and would take seconds to merge.
 * The words come folded, so the tokenizer only parts them at spaces; it must know the characters that keys begin
 * with (`Co`) and the signs of `c++` and `c#`.
 */
export async function up(db: Db): Promise<void> {
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

  const published = await db.selectFrom('posts').select('id').where('status', '=', 'published').execute();
  for (const { id } of published) await indexPost(db, id);
}
