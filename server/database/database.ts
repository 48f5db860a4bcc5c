import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** A connection, or a transaction on one. Every store function takes one. */
export type Db = Kysely<Tables>;

export interface DatabaseOptions {
  readonly file: string;
  /**
   * `snapshot` transactions see one consistent state and never write. `immediate` transactions take the write lock at
   * the start, because a transaction that reads and then writes fails if another one wrote in between.
   */
  readonly transactions: 'immediate' | 'snapshot';
  /** Whether a commit waits until the data is on disk: what a client was told must survive a power failure. */
  readonly durable: boolean;
  /**
   * Which connection moves a long write-ahead log into the database file and truncates it (default: the one that
   * commits). This takes longer the longer a snapshot has held it up, so a connection that serves requests leaves it
   * to one that calls `checkpoint`.
   */
  readonly checkpoints?: 'here' | 'elsewhere';
}

/** Runs `work` in a new transaction, or in the one that `db` already is. */
export const inTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);
