import type { Piscina } from 'piscina';
import { currentThreadId, processorTime } from './processor-time.ts';

/**
 * Filled in by a thread when it starts a task: the time (`process.hrtime`), the thread's id, and its processor time up
 * to then, in nanoseconds. Id and processor time are 0 if the system does not report them.
 */
export type StartedAt = BigInt64Array<SharedArrayBuffer>;

const CELLS = 3;

/** A task exceeded its time limit, and its thread was terminated. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** A thread must call this before any other work on a task. */
export const markStart = (startedAt: StartedAt): void => {
  const thread = currentThreadId();
  Atomics.store(startedAt, 1, BigInt(thread));
  Atomics.store(startedAt, 2, processorTime(thread) ?? 0n);
  Atomics.store(startedAt, 0, process.hrtime.bigint());
};

/**
 * Runs a task, and terminates its thread after `milliseconds` of work. The wait for a thread and the thread's start do
 * not count. On Linux this is processor time, so that a busy machine does not fail a task; after six times as much
 * wall-clock time it ends in any case. Rejects with `TookTooLong`, or as the pool does.
 */
export async function runTimed<Task extends object, Reply>(
  pool: Piscina<Task & { readonly startedAt: StartedAt }, Reply>,
  task: Task,
  milliseconds: number,
): Promise<Reply> {
  const startedAt = new BigInt64Array(new SharedArrayBuffer(CELLS * BigInt64Array.BYTES_PER_ELEMENT));
  const abort = new AbortController();
  const stopWatch = watchTime(startedAt, milliseconds, () => abort.abort());
  try {
    return await pool.run({ ...task, startedAt }, { signal: abort.signal });
  } catch (error) {
    if (abort.signal.aborted) throw new TookTooLong(`longer than ${milliseconds} ms`, { cause: error });
    throw error;
  } finally {
    stopWatch();
  }
}

/** Interval between checks of a task's time. */
const CHECK_INTERVAL_MS = 250;

/** Wall-clock limit as a multiple of the processor time limit. */
const WALL_CLOCK_FACTOR = 6;

/**
 * Calls `onTimeout` once when a task has used up its time. The clock stops while the task waits for a thread, and while
 * the process or the machine is suspended: its threads are stopped then, too.
 */
function watchTime(startedAt: StartedAt, milliseconds: number, onTimeout: () => void): () => void {
  let timer: NodeJS.Timeout;
  let elapsedMs = 0;
  let lastCheck = process.hrtime.bigint();
  const isTimeUp = (): boolean => {
    const now = process.hrtime.bigint();
    const started = Atomics.load(startedAt, 0);
    if (started > 0n) {
      const since = started > lastCheck ? started : lastCheck;
      elapsedMs += Math.min(Number(now - since) / 1e6, 2 * CHECK_INTERVAL_MS);
    }
    lastCheck = now;
    if (elapsedMs < milliseconds) return false;
    const total = processorTime(Number(Atomics.load(startedAt, 1)));
    if (total === null) return true;
    const usedMs = Number(total - Atomics.load(startedAt, 2)) / 1e6;
    return usedMs >= milliseconds || elapsedMs >= WALL_CLOCK_FACTOR * milliseconds;
  };
  const check = () => {
    if (isTimeUp()) onTimeout();
    else wait();
  };
  const wait = () => {
    const left = milliseconds - elapsedMs;
    timer = setTimeout(check, left > 0 ? Math.min(CHECK_INTERVAL_MS, left) : CHECK_INTERVAL_MS);
  };
  wait();
  return () => clearTimeout(timer);
}
