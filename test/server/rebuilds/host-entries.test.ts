import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type CompiledQuery, Kysely, SqliteDialect, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import { migrate } from '../../../server/database/migrate.ts';
import type { Tables } from '../../../server/database/tables.ts';
import { assignHost } from '../../../server/domains/store.ts';
import { allHostEntries, findHostEntries } from '../../../server/rebuilds/manifest.ts';
import { plansOf } from '../../support/query-plans.ts';

let folder: string;
let db: Db;
const asked: CompiledQuery[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const dialect = new SqliteDialect({ database: new Database(join(folder, 'platen.db')) });
  db = new Kysely<Tables>({ dialect, log: ({ query }) => void asked.push(query) });
  await migrate(db);
  await sql`pragma foreign_keys = off`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

it('host files are found by index among the files of all blogs', async () => {
  const files = ['index.html', '/hosts/a.example', '/hosts/b.example'];
  const rows = ['one', 'two'].flatMap((blog_id) =>
    files.map((path) => ({ blog_id, path, page: path, hash: 'x' })),
  );
  await db.insertInto('manifest').values(rows).execute();
  asked.length = 0;
  const found: string[] = [];
  for await (const { blogId, path } of allHostEntries(db, null)) found.push(`${blogId}${path}`);
  expect(found.sort()).toEqual(
    ['one', 'two'].flatMap((blog) => [`${blog}/hosts/a.example`, `${blog}/hosts/b.example`]),
  );
  expect((await findHostEntries(db, '/hosts/a.example')).map(({ blogId }) => blogId).sort()).toEqual([
    'one',
    'two',
  ]);
  expect(await findHostEntries(db, 'index.html')).toEqual([]);
  const plans = await plansOf(db, [...asked]);
  expect(plans.length).toBeGreaterThan(2);
  expect(plans.filter((detail) => !detail.includes('manifest_hosts'))).toEqual([]);
});

it('host files are found by index when a host changes its blog', async () => {
  asked.length = 0;
  await assignHost(db, { blogId: 'one', hostname: 'a.example' }, '2026-01-01T00:00:00.000Z');
  const updates = asked.filter(({ sql }) => /^update "manifest"/.test(sql));
  expect(await plansOf(db, updates)).toEqual([expect.stringContaining('manifest_hosts')]);
});
