import type { Piscina } from 'piscina';
import { ownThread, processorTime } from './processor-time.ts';

/**
 * What a thread fills in when it takes a task up: the moment (`process.hrtime`), the thread's id, and for how long it had
 * a processor before, in nanoseconds. Id and time are 0 where the system does not tell.
 */
export type StartedAt = BigInt64Array<SharedArrayBuffer>;

const CELLS = 3;

/** A task was in its thread for longer than it may be, and the thread was ended. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** To be called by a thread first of all. */
export const markStart = (startedAt: StartedAt): void => {
  const thread = ownThread();
  Atomics.store(startedAt, 1, BigInt(thread));
  Atomics.store(startedAt, 2, processorTime(thread) ?? 0n);
  Atomics.store(startedAt, 0, process.hrtime.bigint());
};

/**
 * Runs a task, and ends its thread after so many milliseconds of work, those not counted in which the task waits for a
 * thread or the thread starts. On Linux this is the processor time of the thread, as a task must not be refused because
 * the machine is busy with other work; after six times as long it ends in any case. Rejects with `TookTooLong`, or as
 * the pool does.
 */
export async function runTimed<Task extends object, Reply>(
  pool: Piscina<Task & { readonly startedAt: StartedAt }, Reply>,
  task: Task,
  milliseconds: number,
): Promise<Reply> {
  const startedAt = new BigInt64Array(new SharedArrayBuffer(CELLS * BigInt64Array.BYTES_PER_ELEMENT));
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

/** How much longer than its processor time a task may take. */
const BUSY_FACTOR = 6;

/**
 * Calls back once a task has run for its time. That does not go on while it waits for a thread, nor while nobody could
 * look: a process that is suspended, or a machine, stops its threads as well.
 */
function watch(startedAt: StartedAt, milliseconds: number, onTimeout: () => void): () => void {
  let timer: NodeJS.Timeout;
  let counted = 0;
  let looked = process.hrtime.bigint();
  const isOver = (): boolean => {
    const now = process.hrtime.bigint();
    const started = Atomics.load(startedAt, 0);
    if (started > 0n) {
      const since = started > looked ? started : looked;
      counted += Math.min(Number(now - since) / 1e6, 2 * LOOK_MS);
    }
    looked = now;
    if (counted < milliseconds) return false;
    const total = processorTime(Number(Atomics.load(startedAt, 1)));
    if (total === null) return true;
    const worked = Number(total - Atomics.load(startedAt, 2)) / 1e6;
    return worked >= milliseconds || counted >= BUSY_FACTOR * milliseconds;
  };
  const look = () => {
    if (isOver()) onTimeout();
    else wait();
  };
  const wait = () => {
    const left = milliseconds - counted;
    timer = setTimeout(look, left > 0 ? Math.min(LOOK_MS, left) : LOOK_MS);
  };
  wait();
  return () => clearTimeout(timer);
}
