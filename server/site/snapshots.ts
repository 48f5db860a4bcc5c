import type { Db } from '../database/database.ts';
import { openDatabase } from '../database/dialect.ts';

/** Concurrent database snapshots, each a read transaction on a pooled connection. */
export interface Snapshots {
  read<T>(work: (snapshot: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createSnapshots(file: string): Snapshots {
  const idle: Db[] = [];
  return {
    async read(work) {
      const db = idle.pop() ?? openDatabase({ file, transactions: 'snapshot', durable: false });
      try {
        return await db.transaction().execute(work);
      } finally {
        idle.push(db);
      }
    },
    async close() {
      for (const db of idle.splice(0)) await db.destroy();
    },
  };
}
