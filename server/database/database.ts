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
import { thisTurn } from '../runtime/event-loop-tick.ts';
import type { Tables } from './tables.ts';

/** A connection, or a transaction on one: what every store function works in. */
export type Db = Kysely<Tables>;

/** How long a write waits for another connection's transaction to end. */
const BUSY_TIMEOUT_MS = 10_000;

export interface DatabaseOptions {
  readonly file: string;
  /**
   * `snapshot` opens transactions that see one moment and never write; `immediate` takes the write lock at the
   * start, because a transaction that reads first and then writes fails where another one wrote in between.
   */
  readonly transactions: 'immediate' | 'snapshot';
  /** Whether a commit waits until the disk has it: what a client was told must also survive a loss of power. */
  readonly durable: boolean;
  /**
   * Who brings a long write-ahead log into the database's file, and cuts it (default: whoever commits). That takes the
   * longer the longer a snapshot has held it up, so a connection that requests wait for leaves it to one that calls
   * `checkpoint`.
   */
  readonly checkpoints?: 'here' | 'elsewhere';
}

/** Pages of the log at which it is brought in here after all, for want of disk: 256 MiB. */
const LOG_MAX_PAGES = 65_536;
/** What is left of a log that was longer when it is begun anew. */
const LOG_KEPT_BYTES = 16 * 1024 * 1024;

/** Opens a connection to the embedded database. Every connection has its own transactions. */
export function openDatabase({ file, transactions, durable, checkpoints = 'here' }: DatabaseOptions): Db {
  const database = openFile(file);
  database.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
  database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  if (checkpoints === 'elsewhere') database.pragma(`wal_autocheckpoint = ${LOG_MAX_PAGES}`);
  else database.pragma(`journal_size_limit = ${LOG_KEPT_BYTES}`);
  database.pragma('foreign_keys = ON');
  database.pragma('cache_size = -16384');
  const db = new Kysely<Tables>({
    dialect: new TransactionDialect(database, transactions),
  });
  versions.set(db, versionsOf(database));
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
    const hint = isDamaged ? '. It is damaged: put a backup in its place' : '';
    throw new Error(`the database ${file} cannot be opened: ${reason}${hint}`, { cause: error });
  }
}

/** Brings into the database's file what no snapshot needs in the log any more. Holds up neither readers nor writers. */
export async function checkpoint(db: Db): Promise<void> {
  await db.executeQuery(CompiledQuery.raw('pragma wal_checkpoint(passive)'));
}

const versions = new WeakMap<Db, () => string>();

/** What is another after every change of the database, by this connection or another; null within a transaction. */
export const versionOf = (db: Db): string | null => versions.get(db)?.() ?? null;

/** What others have changed is looked up once in a turn of the event loop, which takes locks of the database's file. */
function versionsOf(database: Database.Database): () => string {
  const byOthers = database.prepare('pragma data_version').pluck();
  const byThis = database.prepare('select total_changes()').pluck();
  let turn = Number.NaN;
  let others: unknown;
  return () => {
    if (turn !== thisTurn()) {
      turn = thisTurn();
      others = byOthers.get();
    }
    return `${others} ${byThis.get()}`;
  };
}

/** Runs `work` in a transaction of its own, or in the one that `db` already is. */
export const inTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

/** Statements that a connection keeps. The whole service has fewer; lists of values make some of them again. */
const KEPT_STATEMENTS = 500;

/** Kysely prepares every statement anew, and compiling one costs more than most of them take. */
function keepingStatements(database: Database.Database): SqliteDatabase {
  const kept = new LRUCache<string, Database.Statement<unknown[]>>({
    max: KEPT_STATEMENTS,
    memoMethod: (sql) => database.prepare<unknown[]>(sql),
  });
  return { prepare: (sql) => kept.memo(sql), close: () => void database.close() };
}

class TransactionDialect extends SqliteDialect {
  readonly #database: Database.Database;
  readonly #kept: SqliteDatabase;
  readonly #begin: CompiledQuery;

  constructor(database: Database.Database, transactions: DatabaseOptions['transactions']) {
    const kept = keepingStatements(database);
    super({ database: kept });
    this.#database = database;
    this.#kept = kept;
    this.#begin = CompiledQuery.raw(transactions === 'immediate' ? 'begin immediate' : 'begin');
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionAdapter();
  }

  override createDriver(): Driver {
    return new TransactionDriver(this.#kept, this.#begin, () => this.#database.inTransaction);
  }
}

/** Has Kysely migrate in a transaction, which SQLite can roll back: Kysely leaves that out where others cannot. */
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

  /** SQLite has rolled back by itself where the disk was full: to do it again fails, and hides the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#isOpen()) await super.rollbackTransaction(connection);
  }
}
