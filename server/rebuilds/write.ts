import { type Db, inTransaction } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';

/** Looks at what a write is about to change, and throws where it is not as the client expects. */
export type Check = (current: { readonly updatedAt: string }) => void;

export interface WriterDependencies {
  readonly db: Db;
  readonly clock: Clock;
  /** Called when a write has queued a rebuild. */
  readonly onChange: () => void;
}

/** Runs a write in one transaction, and tells the builder where it has queued a rebuild. */
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
