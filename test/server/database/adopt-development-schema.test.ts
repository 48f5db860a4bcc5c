import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { findSchemaState, type Migrations, migrate } from '../../../server/database/migrate.ts';
import { migrations } from '../../../server/database/sqlite/migrations/registry.ts';
import { upgradeDatabase } from '../../../server/installation/upgrade.ts';
import { copiesBeforeEachStatement } from '../../support/copies-before-statements.ts';

const schema = readFileSync(new URL('development-schema.sql', import.meta.url), 'utf8');

/** A row or two of each table that has another name now, or columns that have. */
const rows = `
  insert into accounts (id, email, name, tier, created_at) values ('ada', 'ada@example.org', 'Ada', 'free', '');
  insert into blogs (id, account_id, slug, name, description, pressed_with, created_at, updated_at)
    values ('blog', 'ada', 'ada', 'Ada', '', 'a fingerprint', '', '');
  insert into posts (id, blog_id, slug, title, tags, status, created_at, updated_at)
    values ('post', 'blog', 'hello', 'Hello', '[]', 'published', '', '');
  insert into post_contents (post_id, renderer, edition, word_count, description, headings, html, source, text)
    values ('post', 7, 'an edition', 1, '', '[]', '<p>Hello</p>', 'Hello', 'hello');
  insert into placements (blog_id, list, run, post_id) values ('blog', '', 3, 'post'), ('blog', 'draft', null, 'post');
  insert into images (id, blog_id, path, bytes, width, height, created_at)
    values ('image', 'blog', 'media/blog/image.png', 1, 1, 1, '');
  insert into awaited_images (image_id, post_id) values ('image', 'post');
  insert into stray_media (path, due_at) values ('media/blog/orphaned.png', '2026-11-01');
  insert into resting_slugs (slug, account_id, until) values ('former', 'ada', '2026-12-01');
  insert into doubts (blog_id, path, page) values ('blog', 'index.html', 'list::1');
  insert into leases (work, blog_id, holder, until) values ('blog:blog', 'blog', 'a builder', 1800000000000);
  insert into lost_leases (holder, work, blog_id, entries, ended) values ('another', 'card:post', 'blog', '[]', 1);
  insert into suspects (blog_id, deaths, died_at) values ('blog', 2, '2026-11-02');
  insert into search_bases (blog_id, made_by, due_at, rest_until, attempts) values ('blog', '4', null, '2026-11-03', 0);
  insert into changes (blog_id, rebuild_id, scope, post_id, before)
    values ('blog', 'rebuild', 'post', 'post', '{"run":3,"lists":[{"list":"draft","run":2}]}');
  insert into search_rows (id, post_id, excerpt) values (5, 'post', 'Hello');
  insert into search_words (rowid, title, description, headings, tags, keys) values (5, 'hello', '', '', '', '');
`;

let dataDir: string;
let databaseFile: string;
const opened: Db[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'platen-adopt-'));
  databaseFile = join(dataDir, 'platen.db');
});
afterEach(async () => {
  for (const db of opened.splice(0)) await db.destroy();
  rmSync(dataDir, { recursive: true });
});

function open(file = databaseFile): Db {
  const db = openDatabase({ file, transactions: 'immediate', durable: true });
  opened.push(db);
  return db;
}

/** A database as the last development version has left it, but for what the statements `change` in it. */
function developed(change = ''): Db {
  const database = new Database(databaseFile);
  database.exec(schema + rows + change);
  database.close();
  return open();
}

const upgrade = (db: Db, to: Migrations = migrations) =>
  upgradeDatabase({
    db,
    config: { dataDir, databaseFile },
    log: { info() {} },
    isLocked: true,
    migrations: to,
  });

const query = async (db: Db, text: string): Promise<Record<string, unknown>[]> =>
  (await sql<Record<string, unknown>>`${sql.raw(text)}`.execute(db)).rows;

/** SQL without what a rename may have changed in how it is written. */
const plain = (text: unknown): string =>
  String(text ?? '')
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

/**
 * All tables, columns, keys, indexes and triggers. SQLite adds columns at the end and renames no constraint, so neither
 * the order of columns nor the names of constraints count, but in a primary key and in an index.
 */
async function schemaOf(db: Db): Promise<unknown> {
  const objects = await query(db, 'select type, name, tbl_name, sql from sqlite_master order by type, name');
  const tables = objects.filter(({ type }) => type === 'table').map(({ name }) => String(name));
  const described = tables.map(async (table) => {
    const columns = await query(
      db,
      `select name, type, "notnull", dflt_value, pk from pragma_table_xinfo('${table}') order by name`,
    );
    const references = await query(
      db,
      `select "from", "table", "to", on_delete from pragma_foreign_key_list('${table}') order by "from"`,
    );
    const constraints = await query(
      db,
      `select origin, (select group_concat(name) from pragma_index_info(list.name)) as columns
       from pragma_index_list('${table}') as list where origin <> 'c' order by origin, columns`,
    );
    return [table, { columns, references, constraints }];
  });
  const others = objects.filter((object) => object.type !== 'table' && object.sql !== null);
  const virtual = objects.filter((object) => /^create virtual/i.test(String(object.sql)));
  return {
    tables: await Promise.all(described),
    others: [...others, ...virtual].map((object) => ({ ...object, sql: plain(object.sql) })),
    autoincrement: objects
      .filter((object) => /autoincrement/i.test(String(object.sql)))
      .map(({ name }) => name),
  };
}

describe('a database of the last development version', () => {
  it('gets the schema of a new one', async () => {
    const fresh = open(join(dataDir, 'fresh.db'));
    await migrate(fresh);
    const adopted = developed();
    expect(await schemaOf(adopted)).not.toEqual(await schemaOf(fresh));
    await migrate(adopted);
    expect(await schemaOf(adopted)).toEqual(await schemaOf(fresh));
    expect(await findSchemaState(adopted)).toEqual(await findSchemaState(fresh));
  });

  it('keeps its rows', async () => {
    const db = developed();
    await migrate(db);
    const all = (table: string) => query(db, `select * from ${table}`);
    expect(await all('installation')).toEqual([
      { id: '3f1f5c0e-4c57-4a0b-8a39-0d6c3c1d7c11', edge: null, server_settings: null },
    ]);
    expect(await all('blogs')).toMatchObject([{ id: 'blog', built_with: 'a fingerprint' }]);
    expect(await all('post_contents')).toMatchObject([
      { post_id: 'post', renderer_version: 7, content_version: 'an edition', html: '<p>Hello</p>' },
    ]);
    expect(await all('placements')).toMatchObject([
      { list: '', list_page: 3, post_id: 'post' },
      { list: 'draft', list_page: null, post_id: 'post' },
    ]);
    expect(await all('changes')).toMatchObject([
      { post_id: 'post', before: '{"pageNumber":3,"lists":[{"list":"draft","pageNumber":2}]}' },
    ]);
    expect(await all('posts_awaiting_variants')).toEqual([{ image_id: 'image', post_id: 'post' }]);
    expect(await all('orphaned_media')).toEqual([{ path: 'media/blog/orphaned.png', due_at: '2026-11-01' }]);
    expect(await all('held_slugs')).toEqual([
      { slug: 'former', account_id: 'ada', expires_at: '2026-12-01' },
    ]);
    expect(await all('uncertain_files')).toEqual([{ blog_id: 'blog', path: 'index.html', page: 'list::1' }]);
    expect(await all('leases')).toMatchObject([{ work_id: 'blog:blog', expires_at: 1_800_000_000_000 }]);
    expect(await all('lost_leases')).toMatchObject([{ work_id: 'card:post', holder_stopped: 1 }]);
    expect(await all('suspect_blogs')).toMatchObject([{ builder_deaths: 2, last_death_at: '2026-11-02' }]);
    expect(await all('search_indexes')).toMatchObject([{ built_by: '4', not_before: '2026-11-03' }]);
    expect(await query(db, `select rowid from search_words where search_words match 'hello'`)).toEqual([
      { rowid: 5 },
    ]);
  });

  it('keeps its triggers and foreign keys at work', async () => {
    const db = developed();
    await migrate(db);
    const versionOf = async () => (await query(db, 'select version from posts'))[0]?.version;
    const before = Number(await versionOf());
    await sql`update post_contents set content_version = 'another'`.execute(db);
    expect(await versionOf()).toBe(before + 1);
    await sql`delete from posts`.execute(db);
    expect(await query(db, 'select * from posts_awaiting_variants')).toEqual([]);
    expect(await query(db, `select rowid from search_words where search_words match 'hello'`)).toEqual([]);
  });

  it('is copied before, and gets the migrations of later versions at once', async () => {
    const db = developed();
    const letters: Migrations[string] = {
      up: (later) => later.schema.createTable('letters').addColumn('name', 'text').execute(),
    };
    await upgrade(db, { ...migrations, '9999-letters': letters });
    expect(await query(db, 'select name from kysely_migration order by name')).toEqual([
      ...Object.keys(migrations).map((name) => ({ name })),
      { name: '9999-letters' },
    ]);
    expect(await query(db, 'select * from letters')).toEqual([]);
    const copies = readdirSync(dataDir).filter((name) => name.includes('.before-'));
    expect(copies).toEqual(['platen.db.before-0001-initial-schema']);
    const copy = open(join(dataDir, copies[0] ?? ''));
    expect(await query(copy, 'select pressed_with from blogs')).toEqual([{ pressed_with: 'a fingerprint' }]);
  });

  it('is left as it was or adopted whole by a kill before any statement', async () => {
    await developed().destroy();
    const moments = await copiesBeforeEachStatement(dataDir, () => migrate(open()));
    expect(moments.statements).toBeGreaterThan(30);
    const applied = new Set<number>();
    for (const [n, files] of moments.copies.entries()) {
      const db = open(join(files.restoreTo(join(dataDir, `moment-${n}`)), 'platen.db'));
      applied.add((await findSchemaState(db)).applied.length);
      await migrate(db);
      expect(await query(db, 'select built_with from blogs')).toEqual([{ built_with: 'a fingerprint' }]);
    }
    // What came after the adoption is a transaction of its own.
    expect(applied).toEqual(new Set([33, 1, Object.keys(migrations).length]));
  });

  it('is left as it was where the adoption fails', async () => {
    const db = developed('drop index stray_media_due;');
    const before = await schemaOf(db);
    await expect(upgrade(db)).rejects.toThrow(/cannot be upgraded: no such index: stray_media_due/);
    expect(await schemaOf(db)).toEqual(before);
  });
});

describe('a database that is refused, and left as it was,', () => {
  it('is one of an earlier development version', async () => {
    for (const [change, has] of [
      [`delete from kysely_migration where name = '0033-card-turns'`, 32],
      [`delete from kysely_migration where name <> '0001-initial'`, 1],
    ] as const) {
      const db = developed(change);
      const before = await schemaOf(db);
      const refusal = new RegExp(
        `^the database is of an early development version of Platen \\(it has ${has} of that version's 33 migrations\\)` +
          ': run the last development version on it once, and then this one; nothing has been changed$',
      );
      await expect(upgrade(db)).rejects.toThrow(refusal);
      await expect(migrate(db)).rejects.toThrow(refusal);
      expect(await schemaOf(db)).toEqual(before);
      expect(readdirSync(dataDir).filter((name) => name.includes('.before-'))).toEqual([]);
      await db.destroy();
      rmSync(databaseFile);
    }
  });

  it('is one with a migration that the last development version does not have', async () => {
    const db = developed(`insert into kysely_migration values ('0034-letters', '2026-01-01T00:00:00.000Z')`);
    await expect(migrate(db)).rejects.toThrow(/is of a newer Platen/);
  });
});
