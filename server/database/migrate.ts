import { type Migration, Migrator, sql } from 'kysely';
import { adoptDevelopmentSchema, isDevelopmentSchema } from './adopt-development-schema.ts';
import type { Db } from './database.ts';
import { migrations as ours } from './dialect.ts';

/** Migrations by name, applied in the order of their names. */
export type Migrations = Readonly<Record<string, Migration>>;

/** The difference between a database's schema and the schema that this version works with. */
export interface SchemaState {
  /** Names of the migrations that have been applied, in order; empty for an empty database. */
  readonly applied: readonly string[];
  readonly pending: readonly string[];
}

/** Throws an error for the operator if a newer version, or an early development version, has migrated the database. */
export async function findSchemaState(db: Db, migrations: Migrations = ours): Promise<SchemaState> {
  const applied = (await hasMigrationTable(db)) ? await findApplied(db) : [];
  const known = Object.keys(migrations).sort();
  if (isDevelopmentSchema(applied)) return { applied, pending: known };
  const newer = applied.find((name) => !known.includes(name));
  if (newer !== undefined) {
    throw new Error(
      `the database is of a newer Platen (it has the migration ${newer}, this one ends at ${known.at(-1)}): ` +
        'run that version, or restore the copy that it kept before its upgrade',
    );
  }
  return { applied, pending: known.filter((name) => !applied.includes(name)) };
}

/**
 * Brings the schema up to date. All pending migrations and their records commit in one transaction, so a kill at any
 * time leaves the schema unchanged. The schema of the last development version is adopted in a transaction before.
 */
export async function migrate(db: Db, migrations: Migrations = ours): Promise<void> {
  const { applied } = await findSchemaState(db, migrations);
  if (isDevelopmentSchema(applied)) await adoptDevelopmentSchema(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

async function hasMigrationTable(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(({ name }) => name === 'kysely_migration');
}

async function findApplied(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
