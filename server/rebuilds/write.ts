import { type Db, inTransaction } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';

/** Throws if the current state is not the one that the client expects (`If-Match`). */
export type Precondition = (current: { readonly updatedAt: string }) => void;

export interface WriterDependencies {
  readonly db: Db;
  readonly clock: Clock;
  /** Called when a write has queued a rebuild. */
  readonly onChange: () => void;
}

/** Runs a write in one transaction, and wakes the builder if it queued a rebuild. */
export type Writer = <T extends { readonly rebuildId: string | null }>(
  work: (tx: Db, now: string) => Promise<T>,
) => Promise<T>;

export const createWriter =
  ({ db, clock, onChange }: WriterDependencies): Writer =>
  async (work) => {
    const written = await inTransaction(db, (tx) => work(tx, clock.now()));
    if (written.rebuildId !== null) onChange();
    return written;
  };
