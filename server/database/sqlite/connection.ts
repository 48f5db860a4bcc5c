import Database from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { currentTick } from '../../runtime/event-loop-tick.ts';
import type { DatabaseOptions, Db } from '../database.ts';
import type { Tables } from '../tables.ts';

/** How long a write waits for the transaction of another connection. */
const BUSY_TIMEOUT_MS = 10_000;

/** Pages of the log at which this connection checkpoints after all, to limit disk use: 256 MiB. */
const LOG_CHECKPOINT_PAGES = 65_536;
/** Size to which a longer log is truncated when it restarts. */
const LOG_SIZE_LIMIT_BYTES = 16 * 1024 * 1024;

export function openDatabase({ file, transactions, durable, checkpoints = 'here' }: DatabaseOptions): Db {
  const database = openFile(file);
  database.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
  database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  if (checkpoints === 'elsewhere') database.pragma(`wal_autocheckpoint = ${LOG_CHECKPOINT_PAGES}`);
  else database.pragma(`journal_size_limit = ${LOG_SIZE_LIMIT_BYTES}`);
  database.pragma('foreign_keys = ON');
  database.pragma('cache_size = -16384');
  const db = new Kysely<Tables>({
    dialect: new TransactionDialect(database, transactions),
  });
  versionReaders.set(db, createVersionReader(database));
  return db;
}

function openFile(file: string): Database.Database {
  let database: Database.Database | undefined;
  try {
    database = new Database(file);
    database.pragma('journal_mode = WAL');
    return database;
  } catch (error) {
    database?.close();
    const reason = error instanceof Error ? error.message : String(error);
    const isDamaged = /not a database|malformed/.test(reason);
    const hint = isDamaged ? '. It is damaged: replace it with a backup' : '';
    throw new Error(`the database ${file} cannot be opened: ${reason}${hint}`, { cause: error });
  }
}

export async function checkpoint(db: Db): Promise<void> {
  await db.executeQuery(CompiledQuery.raw('pragma wal_checkpoint(passive)'));
}

export const isDatabaseFull = (error: Error): boolean => 'code' in error && error.code === 'SQLITE_FULL';

const versionReaders = new WeakMap<Db, () => string>();

export const databaseVersion = (db: Db): string | null => versionReaders.get(db)?.() ?? null;

/** Changes by other connections are looked up once per event-loop tick, because the lookup locks the database file. */
function createVersionReader(database: Database.Database): () => string {
  const foreignChanges = database.prepare('pragma data_version').pluck();
  const ownChanges = database.prepare('select total_changes()').pluck();
  let tick = Number.NaN;
  let foreignVersion: unknown;
  return () => {
    if (tick !== currentTick()) {
      tick = currentTick();
      foreignVersion = foreignChanges.get();
    }
    return `${foreignVersion} ${ownChanges.get()}`;
  };
}

/** Statements cached per connection. The whole service has fewer, but lists of values add variants of some. */
const MAX_STATEMENTS = 500;

/**
 * Caches prepared statements: Kysely prepares every time, and compiling costs more than most statements take to run.
 */
function withStatementCache(database: Database.Database): SqliteDatabase {
  const cachedStatements = new LRUCache<string, Database.Statement<unknown[]>>({
    max: MAX_STATEMENTS,
    memoMethod: (sql) => database.prepare<unknown[]>(sql),
  });
  return { prepare: (sql) => cachedStatements.memo(sql), close: () => void database.close() };
}

class TransactionDialect extends SqliteDialect {
  readonly #database: Database.Database;
  readonly #kept: SqliteDatabase;
  readonly #begin: CompiledQuery;

  constructor(database: Database.Database, transactions: DatabaseOptions['transactions']) {
    const cachedStatements = withStatementCache(database);
    super({ database: cachedStatements });
    this.#database = database;
    this.#kept = cachedStatements;
    this.#begin = CompiledQuery.raw(transactions === 'immediate' ? 'begin immediate' : 'begin');
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionAdapter();
  }

  override createDriver(): Driver {
    return new TransactionDriver(this.#kept, this.#begin, () => this.#database.inTransaction);
  }
}

/** Makes Kysely migrate in a transaction. Its own adapter does not, although SQLite can roll back schema changes. */
class TransactionAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class TransactionDriver extends SqliteDriver {
  readonly #begin: CompiledQuery;
  readonly #isOpen: () => boolean;

  constructor(database: SqliteDatabase, begin: CompiledQuery, isOpen: () => boolean) {
    super({ database });
    this.#begin = begin;
    this.#isOpen = isOpen;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(this.#begin);
  }

  /** SQLite has already rolled back if the disk was full. A second rollback would fail and hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#isOpen()) await super.rollbackTransaction(connection);
  }
}
