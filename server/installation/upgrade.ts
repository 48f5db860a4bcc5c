import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Db } from '../database/database.ts';
import { backUpBefore } from '../database/dialect.ts';
import { findSchemaState, type Migrations, migrate } from '../database/migrate.ts';
import { tryLock } from '../runtime/lock.ts';
import type { Log } from '../runtime/log.ts';

export interface UpgradeOptions {
  readonly db: Db;
  readonly config: Pick<Config, 'dataDir' | 'databaseFile'>;
  readonly log: Pick<Log, 'info'>;
  /** Whether this process holds the lock of the data folder. If not, the upgrade takes it. */
  readonly isLocked: boolean;
  /** Default: the migrations of this version. */
  readonly migrations?: Migrations;
}

/**
 * Migrates the database to this version's schema. Keeps a copy first if the database has data. Throws an error for
 * the operator if a server of another version runs on it, if its schema is newer, or if a migration fails; then the
 * database is unchanged.
 */
export async function upgradeDatabase(upgrade: UpgradeOptions): Promise<void> {
  const { pending } = await findSchemaState(upgrade.db, upgrade.migrations);
  if (pending.length === 0) return;
  const unlock = upgrade.isLocked ? () => {} : lockFor(upgrade.config.dataDir);
  try {
    await upgradeWithLock(upgrade);
  } finally {
    unlock();
  }
}

function lockFor(dataDir: string): () => void {
  const unlock = tryLock(join(dataDir, 'lock'));
  if (unlock) return unlock;
  throw new Error(
    `a server of an older version runs on ${dataDir}: restart it with this version, which upgrades the database`,
  );
}

async function upgradeWithLock({
  db,
  config: { databaseFile },
  log,
  migrations,
}: UpgradeOptions): Promise<void> {
  const { applied, pending } = await findSchemaState(db, migrations);
  const [first] = pending;
  if (first === undefined) return;
  const copy = applied.length > 0 ? await keepCopy(db, databaseFile, first) : null;
  if (copy !== null) log.info({ copy, pending }, 'upgrading the database; a copy was kept');
  try {
    await migrate(db, migrations);
  } catch (error) {
    const copyNote = copy === null ? '' : `; it is unchanged, and ${copy} is a copy`;
    throw new Error(
      `the database ${databaseFile} cannot be upgraded: ${errorMessage(error)}${copyNote}${recoveryHint(error)}`,
      { cause: error },
    );
  }
}

async function keepCopy(db: Db, file: string, first: string): Promise<string> {
  try {
    return await backUpBefore(db, file, first);
  } catch (error) {
    throw new Error(`cannot copy the database ${file} before its upgrade: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

/** Earlier versions could be killed between a migration and its record. */
const recoveryHint = (error: unknown): string =>
  /already exists|duplicate column/.test(errorMessage(error))
    ? '. An earlier version was killed during a migration: restore a copy, or, if nothing was published yet, move the file away'
    : '';

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
