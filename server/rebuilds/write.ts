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

export const createWriter =
  ({ db, clock, onChange }: WriterDependencies): Writer =>
  async (work) => {
    const written = await db.transaction().execute((tx) => work(tx, clock.now()));
    if (written.rebuildId !== null) onChange();
    return written;
  };
