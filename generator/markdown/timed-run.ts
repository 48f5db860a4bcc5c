import type { Piscina } from 'piscina';

/** One cell that takes the moment (`process.hrtime`, nanoseconds) at which a thread took its task up. */
export type StartedAt = BigInt64Array<SharedArrayBuffer>;

/** A task was in its thread for longer than it may be, and the thread was ended. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** To be called by a thread first of all. */
export const markStart = (startedAt: StartedAt): void => {
  Atomics.store(startedAt, 0, process.hrtime.bigint());
};

/**
 * Runs a task, and ends its thread after so many milliseconds, those not counted in which the task waits for a thread
 * or the thread starts. Rejects with `TookTooLong`, or as the pool does.
 */
export async function runTimed<Task extends object, Reply>(
  pool: Piscina<Task & { readonly startedAt: StartedAt }, Reply>,
  task: Task,
  milliseconds: number,
): Promise<Reply> {
  const startedAt = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  const abort = new AbortController();
  const stopWatch = watch(startedAt, milliseconds, () => abort.abort());
  try {
    return await pool.run({ ...task, startedAt }, { signal: abort.signal });
  } catch (error) {
    if (abort.signal.aborted) throw new TookTooLong(`longer than ${milliseconds} ms`, { cause: error });
    throw error;
  } finally {
    stopWatch();
  }
}

/** Calls back once a task has run for its time; while it waits for a thread, the time does not. */
function watch(startedAt: StartedAt, milliseconds: number, onTimeout: () => void): () => void {
  let timer: NodeJS.Timeout;
  const check = () => {
    const remaining = milliseconds - elapsedMs(Atomics.load(startedAt, 0));
    if (remaining <= 0) onTimeout();
    else timer = setTimeout(check, remaining);
  };
  timer = setTimeout(check, milliseconds);
  return () => clearTimeout(timer);
}

function elapsedMs(startedAt: bigint): number {
  return startedAt === 0n ? 0 : Number(process.hrtime.bigint() - startedAt) / 1e6;
}
