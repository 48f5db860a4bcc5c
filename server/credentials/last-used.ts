import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Db, inTransaction } from '../database/database.ts';
import { setLastUsed } from './store.ts';

/** Rows per transaction. Other requests run between two transactions. */
const BATCH = 100;

/**
 * Last-used times of credentials. They are buffered in memory and flushed by a job, so that no request waits for a
 * write.
 */
export interface LastUsed {
  record(credentialId: string, moment: string): void;
  /** The last-used time that is not written yet. */
  pending(credentialId: string): string | undefined;
  /** Writes all buffered times. */
  flush(): Promise<void>;
}

export function createLastUsed({ db }: { db: Db }): LastUsed {
  let times = new Map<string, string>();
  return {
    record: (credentialId, moment) => void times.set(credentialId, moment),
    pending: (credentialId) => times.get(credentialId),
    async flush() {
      const entries = [...times];
      times = new Map();
      for (let start = 0; start < entries.length; start += BATCH) {
        await inTransaction(db, async (tx) => {
          for (const [id, moment] of entries.slice(start, start + BATCH)) await setLastUsed(tx, id, moment);
        });
        await yieldToEventLoop();
      }
    },
  };
}
