import type { Kysely } from 'kysely';

/** Blogs take turns with their cards, of which the newest is drawn first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('pending_cards_due').execute();
  await db.schema
    .createIndex('pending_cards_turn')
    .on('pending_cards')
    .columns(['blog_id', 'due_at desc'])
    .execute();
}
