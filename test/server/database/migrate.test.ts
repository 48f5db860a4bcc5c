import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { findSchemaState, type Migrations, migrate } from '../../../server/database/migrate.ts';
import { migrations } from '../../../server/database/sqlite/migrations/registry.ts';
import { upgradeDatabase } from '../../../server/installation/upgrade.ts';
import { tryLock } from '../../../server/runtime/lock.ts';
import { copiesBeforeEachStatement } from '../../support/copies-before-statements.ts';

let dataDir: string;
let databaseFile: string;
const opened: Db[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'platen-migrate-'));
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

/** An example of a later version's migrations: several statements, and rows that move. */
const later: Migrations = {
  ...migrations,
  '9998-letters': {
    async up(db) {
      await db.schema.createTable('letters').addColumn('name', 'text').execute();
      await sql`insert into letters select email from accounts`.execute(db);
      await db.schema.alterTable('accounts').addColumn('letter', 'text').execute();
    },
  },
  '9999-sealed-letters': {
    async up(db) {
      await db.schema.alterTable('letters').renameTo('sealed_letters').execute();
      await sql`update sealed_letters set name = upper(name)`.execute(db);
      await db.schema.createIndex('sealed_letters_name').on('sealed_letters').column('name').execute();
    },
  },
};
const added = ['9998-letters', '9999-sealed-letters'];

const broken: Migrations = {
  ...later,
  '9999-sealed-letters': {
    async up(db: Kysely<unknown>) {
      await sql`update letters set name = upper(name)`.execute(db);
      throw new Error('no wax');
    },
  },
};

const upgrade = (db: Db, { isLocked = true, to = later } = {}) =>
  upgradeDatabase({ db, config: { dataDir, databaseFile }, log: { info() {} }, isLocked, migrations: to });

const schemaOf = async (db: Db): Promise<unknown[]> =>
  (await sql`select type, name, sql from sqlite_master order by type, name`.execute(db)).rows;

const lettersOf = async (db: Db): Promise<unknown[]> =>
  (await sql`select name from sealed_letters`.execute(db)).rows;

/** A database of this version with one account. */
async function established(): Promise<Db> {
  const db = open();
  await migrate(db);
  await sql`insert into accounts (id, email, name, tier, created_at) values ('a', 'ada@example.org', '', 'free', '')`.execute(
    db,
  );
  return db;
}

const copies = () => readdirSync(dataDir).filter((name) => name.includes('.before-'));

describe('a kill during a migration', () => {
  it('a first migration that was killed before any statement leaves a database that can be migrated', async () => {
    const whole = open(join(dataDir, 'whole.db'));
    await migrate(whole);
    const schema = await schemaOf(whole);
    const moments = await copiesBeforeEachStatement(dataDir, () => migrate(open()));
    expect(moments.statements).toBeGreaterThan(80);
    for (const [n, files] of moments.copies.entries()) {
      const db = open(join(files.restoreTo(join(dataDir, `moment-${n}`)), 'platen.db'));
      const { applied } = await findSchemaState(db);
      expect([0, Object.keys(migrations).length]).toContain(applied.length);
      await migrate(db);
      expect(await schemaOf(db)).toEqual(schema);
    }
  });

  it('an upgrade that was killed before any statement leaves either schema whole, with its rows', async () => {
    await established();
    const moments = await copiesBeforeEachStatement(dataDir, () => upgrade(open()));
    expect(moments.statements).toBeGreaterThan(8);
    const pendings: number[] = [];
    for (const [n, files] of moments.copies.entries()) {
      const db = open(join(files.restoreTo(join(dataDir, `moment-${n}`)), 'platen.db'));
      const { pending } = await findSchemaState(db, later);
      pendings.push(pending.length);
      await migrate(db, later);
      expect(await lettersOf(db)).toEqual([{ name: 'ADA@EXAMPLE.ORG' }]);
    }
    expect(new Set(pendings)).toEqual(new Set([added.length, 0]));
  });
});

describe('an upgrade of the database', () => {
  it('an upgrade keeps a copy of the old database for its owner only, and removes older copies', async () => {
    const db = await established();
    await upgrade(db, { to: { ...migrations, '9998-letters': later['9998-letters'] ?? expect.fail() } });
    expect(copies()).toEqual(['platen.db.before-9998-letters']);
    await upgrade(db);
    expect(copies()).toEqual(['platen.db.before-9999-sealed-letters']);
    const copy = join(dataDir, 'platen.db.before-9999-sealed-letters');
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const before = open(copy);
    expect((await findSchemaState(before, later)).pending).toEqual(['9999-sealed-letters']);
    expect((await sql`select name from letters`.execute(before)).rows).toEqual([{ name: 'ada@example.org' }]);
  });

  it('a failed upgrade leaves the database unchanged, says why, and names the copy', async () => {
    const db = await established();
    const schema = await schemaOf(db);
    await expect(upgrade(db, { to: broken })).rejects.toThrow(
      /platen\.db cannot be upgraded: no wax; it is unchanged, and .*platen\.db\.before-9998-letters is a copy$/,
    );
    expect(await schemaOf(db)).toEqual(schema);
    await upgrade(db);
    expect(await lettersOf(db)).toEqual([{ name: 'ADA@EXAMPLE.ORG' }]);
  });

  it('an empty or missing database is not copied', async () => {
    await upgrade(open());
    await upgrade(open());
    expect(copies()).toEqual([]);
  });

  it('an upgrade is refused in one sentence if the copy cannot be written', async () => {
    const db = await established();
    const config = { dataDir, databaseFile: join(dataDir, 'missing', 'platen.db') };
    const parts = { db, config, log: { info() {} }, isLocked: true, migrations: later };
    await expect(upgradeDatabase(parts)).rejects.toThrow(/cannot copy the database .* before its upgrade/);
    expect((await findSchemaState(db, later)).pending).toEqual(added);
  });

  it('an upgrade needs the lock of the data folder', async () => {
    const db = await established();
    const unlock = tryLock(join(dataDir, 'lock')) ?? expect.fail('nobody has it');
    await expect(upgrade(db, { isLocked: false })).rejects.toThrow(
      /a server of an older version runs on .*: restart it with this version/,
    );
    expect((await findSchemaState(db, later)).pending).toEqual(added);
    unlock();
    await upgrade(db, { isLocked: false });
    expect((await findSchemaState(db, later)).pending).toEqual([]);
    tryLock(join(dataDir, 'lock'))?.() ?? expect.fail('it was not given back');
  });

  it('an upgrade explains a database that an earlier version may have left half migrated', async () => {
    const db = open();
    await db.schema.createTable('accounts').addColumn('id', 'text').execute();
    await expect(upgrade(db, { to: migrations })).rejects.toThrow(
      /already exists.*An earlier version was killed during a migration/,
    );
  });
});

it('a database of a newer version is refused in one line and left unchanged', async () => {
  const db = open();
  await migrate(db, later);
  const refused =
    /^the database is of a newer Platen \(it has the migration 9998-letters, this one ends at [^)\n]+\)[^\n]*$/;
  await expect(upgrade(db, { to: migrations })).rejects.toThrow(refused);
  await expect(migrate(db)).rejects.toThrow(refused);
  expect((await findSchemaState(db, later)).pending).toEqual([]);
});
