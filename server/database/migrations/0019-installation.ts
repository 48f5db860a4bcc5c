import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

/** An installation is its database, and has a name by which its edge is known to be its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .execute();
  await sql`insert into installation (id) values (${randomUUID()})`.execute(db);
}
