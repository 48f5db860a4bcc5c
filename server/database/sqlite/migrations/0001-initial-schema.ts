import type { Kysely } from 'kysely';
import { createAccountTables } from './0001-initial-schema/accounts.ts';
import { createBlogTables } from './0001-initial-schema/blogs.ts';
import { createJournalTables } from './0001-initial-schema/journal.ts';
import { createMediaTables } from './0001-initial-schema/media.ts';
import { createPostTables } from './0001-initial-schema/posts.ts';
import { createRebuildTables } from './0001-initial-schema/rebuilds.ts';
import { createSearchTables } from './0001-initial-schema/search.ts';

/**
 * The first schema, one file per concept. tables.ts describes what the columns hold. Like every migration it imports
 * nothing of the current code: it must still do the same when that has changed. Long texts are a table's last columns,
 * because SQLite reads a row from its beginning.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccountTables(db);
  await createBlogTables(db);
  await createPostTables(db);
  await createMediaTables(db);
  await createRebuildTables(db);
  await createSearchTables(db);
  await createJournalTables(db);
}
