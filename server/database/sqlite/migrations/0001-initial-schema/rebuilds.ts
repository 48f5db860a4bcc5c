import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

/** The rebuild queue, what each blog has on the edge, and what the builders are working on. */
export async function createRebuildTables(db: Kysely<unknown>): Promise<void> {
  await createQueue(db);
  await createManifest(db);
  await createLeases(db);
  await createInstallation(db);
}

async function createQueue(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rebuilds')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('priority', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('removes_since', 'text')
    .addColumn('weight', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('is_large', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addColumn('queued_at', 'text', (c) => c.notNull())
    .addColumn('started_at', 'text')
    .addColumn('live_at', 'text')
    .addColumn('files_written', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('files_removed', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('invalidated', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('steps', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('error', 'text')
    .execute();
  await db.schema
    .createIndex('rebuilds_due')
    .on('rebuilds')
    .columns(['status', 'is_large', 'priority', 'due_at', 'id'])
    .execute();
  await db.schema.createIndex('rebuilds_blog').on('rebuilds').columns(['blog_id', 'status']).execute();

  await db.schema
    .createTable('changes')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('rebuild_id', 'text', (c) => c.notNull())
    .addColumn('scope', 'text', (c) => c.notNull().defaultTo('post'))
    .addColumn('post_id', 'text')
    .addColumn('before', 'text')
    .execute();
  await db.schema.createIndex('changes_blog').on('changes').columns(['blog_id', 'id']).execute();

  await db.schema
    .createTable('pending_cards')
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('post_id', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('pending_cards_key', ['blog_id', 'post_id'])
    .execute();
  await db.schema
    .createIndex('pending_cards_due')
    .on('pending_cards')
    .columns(['blog_id', 'due_at desc'])
    .execute();
}

async function createManifest(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('manifest')
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('page', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('manifest_key', ['blog_id', 'path'])
    .execute();
  await db.schema.createIndex('manifest_page').on('manifest').columns(['blog_id', 'page']).execute();
  await sql`create index manifest_uncertain on manifest (blog_id, page) where hash = ''`.execute(db);
  // Paths outside of the blogs' folders begin with a slash.
  await sql`create index manifest_hosts on manifest (path) where substr(path, 1, 1) = '/'`.execute(db);

  await db.schema
    .createTable('uncertain_files')
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('page', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('uncertain_files_key', ['blog_id', 'path'])
    .execute();
}

async function createLeases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('leases')
    .addColumn('work_id', 'text', (c) => c.primaryKey())
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'integer', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('lost_leases')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('work_id', 'text', (c) => c.notNull())
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('entries', 'text', (c) => c.notNull())
    .addColumn('holder_stopped', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();

  await db.schema
    .createTable('suspect_blogs')
    .addColumn('blog_id', 'text', (c) => c.primaryKey())
    .addColumn('builder_deaths', 'integer', (c) => c.notNull())
    .addColumn('last_death_at', 'text', (c) => c.notNull())
    .execute();
}

/** The id of the installation, by which an edge knows whose it is. */
async function createInstallation(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('edge', 'text')
    .execute();
  await sql`insert into installation (id) values (${randomUUID()})`.execute(db);
}
