import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';

/** Runs a write in a transaction of its own, and wakes the builder if it queued a rebuild. */
export type Writer = <T extends { readonly rebuildId: string | null }>(
  work: (tx: Db, now: string) => Promise<T>,
) => Promise<T>;

interface WriterDependencies {
  readonly db: Db;
  readonly clock: Clock;
  /** Called when a write has queued a rebuild. */
  readonly onChange: () => void;
}

export function createWriter({ db, clock, onChange }: WriterDependencies): Writer {
  const isWriting = new AsyncLocalStorage<true>();
  return async (work) => {
    // The inner write would wait for the outer one, which waits for it.
    if (isWriting.getStore()) throw new Error('a write within a write: pass on the transaction');
    const written = await isWriting.run(true, () => db.transaction().execute((tx) => work(tx, clock.now())));
    if (written.rebuildId !== null) onChange();
    return written;
  };
}
