import type { Kysely } from 'kysely';

/** An account's oldest blog, which every call that names none looks for, is found without sorting. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('blogs_account').execute();
  await db.schema
    .createIndex('blogs_account')
    .on('blogs')
    .columns(['account_id', 'created_at', 'id'])
    .execute();
}
