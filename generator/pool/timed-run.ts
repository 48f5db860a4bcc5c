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

/** How often it is looked how long a task has run. */
const LOOK_MS = 250;

/**
 * Calls back once a task has run for its time. That does not go on while it waits for a thread, nor while nobody could
 * look: a process that is suspended, or a machine, stops its threads as well.
 */
function watch(startedAt: StartedAt, milliseconds: number, onTimeout: () => void): () => void {
  let timer: NodeJS.Timeout;
  let counted = 0;
  let looked = process.hrtime.bigint();
  const look = () => {
    const now = process.hrtime.bigint();
    const started = Atomics.load(startedAt, 0);
    if (started > 0n) {
      const since = started > looked ? started : looked;
      counted += Math.min(Number(now - since) / 1e6, 2 * LOOK_MS);
    }
    looked = now;
    if (counted >= milliseconds) onTimeout();
    else wait();
  };
  const wait = () => {
    timer = setTimeout(look, Math.min(LOOK_MS, milliseconds - counted));
  };
  wait();
  return () => clearTimeout(timer);
}
