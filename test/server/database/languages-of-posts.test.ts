import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrations, openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';

it('a post that names itself among its translations states that language after the migration, too', async () => {
  const db = openDatabase({ file: ':memory:', transactions: 'immediate', durable: false });
  try {
    const before = Object.entries(migrations).filter(([name]) => name < '0010');
    await migrate(db, Object.fromEntries(before));
    // The posts of this test have no blog.
    await sql`pragma foreign_keys = off`.execute(db);
    for (const [slug, translations] of [
      ['hallo', '{"de":"hallo","en":"hello"}'],
      ['hello', '{"de":"hallo"}'],
      ['plain', '{}'],
    ]) {
      await sql`insert into posts (id, blog_id, slug, title, tags, status, translations, created_at, updated_at)
        values (${slug}, 'blog', ${slug}, 'T', '[]', 'draft', ${translations}, '2026', '2026')`.execute(db);
    }
    await migrate(db);
    const posts = db.selectFrom('posts').select(['slug', 'language', 'stated_language as stated']);
    expect(await posts.orderBy('slug').execute()).toEqual([
      { slug: 'hallo', language: null, stated: 'de' },
      { slug: 'hello', language: null, stated: null },
      { slug: 'plain', language: null, stated: null },
    ]);
  } finally {
    await db.destroy();
  }
});
