import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Migrations of the last development version, in order. `0001-initial-schema` creates what they did, with other names.
 */
const DEVELOPMENT_MIGRATIONS: readonly string[] = [
  '0001-initial',
  '0002-search',
  '0003-images',
  '0004-accounts',
  '0005-blogs',
  '0006-removals',
  '0007-revisions',
  '0008-answers',
  '0009-renderings',
  '0010-months',
  '0011-settings',
  '0012-search-bases',
  '0013-image-variants',
  '0014-translations',
  '0015-hosts',
  '0016-slim-contents',
  '0017-first-blog',
  '0018-invalidated',
  '0019-installation',
  '0020-leases',
  '0021-post-versions',
  '0022-published-edge',
  '0023-doubts',
  '0024-media-paths',
  '0025-manifest-hosts',
  '0026-owner-html',
  '0027-suspects',
  '0028-idempotency',
  '0029-take-downs',
  '0030-audit-log',
  '0031-resting-slugs',
  '0032-media-library',
  '0033-card-turns',
];

const ADOPTED_AS = '0001-initial-schema';

const TABLES = {
  awaited_images: 'posts_awaiting_variants',
  doubts: 'uncertain_files',
  resting_slugs: 'held_slugs',
  search_bases: 'search_indexes',
  stray_media: 'orphaned_media',
  suspects: 'suspect_blogs',
} as const;

/** By the new name of the table. */
const COLUMNS = {
  blogs: { pressed_with: 'built_with' },
  held_slugs: { until: 'expires_at' },
  leases: { work: 'work_id', until: 'expires_at' },
  lost_leases: { work: 'work_id', ended: 'holder_stopped' },
  placements: { run: 'list_page' },
  post_contents: { edition: 'content_version', renderer: 'renderer_version' },
  search_indexes: { made_by: 'built_by', rest_until: 'not_before' },
  suspect_blogs: { deaths: 'builder_deaths', died_at: 'last_death_at' },
} as const;

/** SQLite cannot rename an index, so each of these is dropped and created again. */
const INDEXES = [
  ['awaited_images_post', 'posts_awaiting_variants_post', 'posts_awaiting_variants (post_id)'],
  ['pending_cards_turn', 'pending_cards_due', 'pending_cards (blog_id, due_at desc)'],
  ['placements_run', 'placements_list_page', 'placements (blog_id, list, list_page, post_id)'],
  ['post_contents_renderer', 'post_contents_renderer_version', 'post_contents (renderer_version, post_id)'],
  ['resting_slugs_account', 'held_slugs_account', 'held_slugs (account_id)'],
  ['resting_slugs_until', 'held_slugs_expires', 'held_slugs (expires_at)'],
  ['search_bases_due', 'search_indexes_due', 'search_indexes (due_at)'],
  ['stray_media_due', 'orphaned_media_due', 'orphaned_media (due_at)'],
] as const;

/**
 * Whether a database with these migrations has the schema of the last development version. Throws a sentence if it has
 * the schema of an earlier one.
 */
export function isDevelopmentSchema(applied: readonly string[]): boolean {
  const known = DEVELOPMENT_MIGRATIONS.filter((name) => applied.includes(name));
  const isLast = known.length === DEVELOPMENT_MIGRATIONS.length;
  if (known.length === 0 || isLast) return isLast && applied.length === known.length;
  throw new Error(
    `the database is of an early development version of Platen (it has ${known.length} of that version's ` +
      `${DEVELOPMENT_MIGRATIONS.length} migrations): run the last development version on it once, and then this one; ` +
      'nothing has been changed',
  );
}

/** Renames tables, columns and indexes of the last development version, and records it as migrated. All or nothing. */
export async function adoptDevelopmentSchema(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Triggers and foreign keys follow a rename.
    for (const [table, name] of Object.entries(TABLES))
      await sql`alter table ${sql.id(table)} rename to ${sql.id(name)}`.execute(tx);
    for (const [table, columns] of Object.entries(COLUMNS)) {
      for (const [column, name] of Object.entries(columns))
        await sql`alter table ${sql.id(table)} rename column ${sql.id(column)} to ${sql.id(name)}`.execute(
          tx,
        );
    }
    for (const [index, name, columns] of INDEXES) {
      await sql`drop index ${sql.id(index)}`.execute(tx);
      await sql`create index ${sql.id(name)} on ${sql.raw(columns)}`.execute(tx);
    }
    // Waiting changes say where a post was listed, as JSON.
    await sql`update changes set "before" = replace("before", '"run":', '"pageNumber":')`.execute(tx);
    await sql`delete from kysely_migration`.execute(tx);
    const now = new Date().toISOString();
    await sql`insert into kysely_migration (name, timestamp) values (${ADOPTED_AS}, ${now})`.execute(tx);
  });
}
