import type { Migration, RawBuilder } from 'kysely';
import type { DatabaseOptions, Db } from './database.ts';
import type { SearchWords, WordMatches, WordQuery } from './search-tables.ts';
import * as backup from './sqlite/backup-before.ts';
import * as connection from './sqlite/connection.ts';
import * as expressions from './sqlite/expressions.ts';
import * as fullText from './sqlite/full-text.ts';
import { migrations as sqliteMigrations } from './sqlite/migrations/registry.ts';

/** What each database engine does its own way. All other SQL is shared. */
interface Dialect {
  /** Opens a connection. Each connection has its own transactions. */
  openDatabase(options: DatabaseOptions): Db;
  /** Moves pages of the log that no snapshot needs into the database file. Blocks neither readers nor writers. */
  checkpoint(db: Db): Promise<void>;
  /** Changes with every change of the database, by any connection; null within a transaction. */
  databaseVersion(db: Db): string | null;
  /** Whether the database refused a write because its disk is full. */
  isDatabaseFull(error: Error): boolean;
  /** Backs up a database file beside it and removes older backups. Returns the path once the copy is on disk. */
  backUpBefore(db: Db, file: string, migration: string): Promise<string>;
  /** All migrations by name, which is also their order. */
  readonly migrations: Readonly<Record<string, Migration>>;

  /** The database's clock, in milliseconds since 1970. */
  databaseNow(): RawBuilder<number>;
  /** The values of a list parameter, whatever its length: `where('id', 'in', anyOf(ids))`. */
  anyOf(texts: readonly string[]): RawBuilder<string>;
  anyNumberOf(numbers: readonly number[]): RawBuilder<number>;
  /**
   * The rows of a list parameter, as a table with these columns. An insert from it with a conflict clause needs a
   * `where`, or SQLite takes that clause for part of a join.
   */
  rowsOf<Column extends string>(
    rows: readonly (readonly string[])[],
    columns: readonly Column[],
  ): RawBuilder<Record<Column, string>>;

  /** Replaces a post's words in the full-text index. The post has a row in `search_rows`. */
  indexWords(db: Db, postId: string, words: SearchWords): Promise<void>;
  /** One page of the posts that match, best first and then newest first, and their total number. */
  findMatches(
    db: Db,
    query: WordQuery,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<WordMatches>;
}

const sqlite: Dialect = {
  ...connection,
  ...backup,
  ...expressions,
  ...fullText,
  migrations: sqliteMigrations,
};

/** The engine of this process. Compiled queries are kept, so there is one. */
export const {
  openDatabase,
  checkpoint,
  databaseVersion,
  isDatabaseFull,
  backUpBefore,
  migrations,
  databaseNow,
  anyOf,
  anyNumberOf,
  rowsOf,
  indexWords,
  findMatches,
} = sqlite;
