import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { copyBefore } from '../database/copy-database.ts';
import type { Db } from '../database/database.ts';
import { findSchemaState, type Migrations, migrate } from '../database/migrate.ts';
import { tryLock } from '../runtime/lock.ts';
import type { Log } from '../runtime/log.ts';

export interface Upgrade {
  readonly db: Db;
  readonly config: Pick<Config, 'dataDir' | 'databaseFile'>;
  readonly log: Pick<Log, 'info'>;
  /** Whether the data folder is locked for this process. If not, it is locked for as long as the upgrade takes. */
  readonly isLocked: boolean;
  /** Those of this version by default. */
  readonly migrations?: Migrations;
}

/**
 * Brings the database up to date, and keeps a copy of one that has data. Throws a sentence if a server of another
 * version runs on it, if it is of a newer version, or if it cannot be upgraded: then it is as it was.
 */
export async function upgradeDatabase(upgrade: Upgrade): Promise<void> {
  const { pending } = await findSchemaState(upgrade.db, upgrade.migrations);
  if (pending.length === 0) return;
  const unlock = upgrade.isLocked ? () => {} : lockFor(upgrade.config.dataDir);
  try {
    await upgradeLocked(upgrade);
  } finally {
    unlock();
  }
}

function lockFor(dataDir: string): () => void {
  const unlock = tryLock(join(dataDir, 'lock'));
  if (unlock) return unlock;
  throw new Error(
    `the server that runs on ${dataDir} is of an older version: restart it with this one, which upgrades the database`,
  );
}

async function upgradeLocked({ db, config: { databaseFile }, log, migrations }: Upgrade): Promise<void> {
  const { applied, pending } = await findSchemaState(db, migrations);
  const [first] = pending;
  if (first === undefined) return;
  const copy = applied.length > 0 ? await keepCopy(db, databaseFile, first) : null;
  if (copy !== null) log.info({ copy, pending }, 'the database is upgraded, and a copy of it kept');
  try {
    await migrate(db, migrations);
  } catch (error) {
    const asItWas = copy === null ? '' : `; it is as it was, and ${copy} is a copy`;
    throw new Error(
      `the database ${databaseFile} cannot be upgraded: ${reasonOf(error)}${asItWas}${hintAt(error)}`,
      { cause: error },
    );
  }
}

async function keepCopy(db: Db, file: string, first: string): Promise<string> {
  try {
    return await copyBefore(db, file, first);
  } catch (error) {
    throw new Error(`no copy of the database ${file} can be kept before its upgrade: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Earlier versions could be killed between a migration and its record. */
const hintAt = (error: unknown): string =>
  /already exists|duplicate column/.test(reasonOf(error))
    ? '. An earlier version was killed within a migration: put back a copy, or, if nothing was published yet, move the file away'
    : '';

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
