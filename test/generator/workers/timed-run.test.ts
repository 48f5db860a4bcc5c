// Slow: runs tasks of several seconds beside a busy or blocked thread to test timeouts.
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { describe, expect, it } from 'vitest';
import { runTimed, type StartedAt, TookTooLong } from '../../../generator/workers/timed-run.ts';

type Task = { readonly startedAt: StartedAt };

/**
 * A pool on an unknown system whose thread takes up a task after a delay and works on it for so many milliseconds.
 */
const poolOf = (waits: number, takes: number) =>
  ({
    async run({ startedAt }: Task, { signal }: { signal: AbortSignal }) {
      await sleep(waits, undefined, { signal });
      Atomics.store(startedAt, 0, process.hrtime.bigint());
      await sleep(takes, undefined, { signal });
      return 'done';
    },
  }) as unknown as Piscina<Task, string>;

it('a timed run ends a task that takes longer than its time', async () => {
  await expect(runTimed(poolOf(0, 60_000), {}, 700)).rejects.toThrow(TookTooLong);
});

it('a timed run does not count the wait of a task for a thread', async () => {
  await expect(runTimed(poolOf(3_000, 0), {}, 2_000)).resolves.toBe('done');
});

it('a timed run does not count the time in which the process is suspended', async () => {
  const run = runTimed(poolOf(0, 3_200), {}, 3_000);
  await sleep(100);
  // Blocks this thread for so long.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_050);
  await expect(run).resolves.toBe('done');
});

describe.runIf(process.platform === 'linux')(
  'timed runs on a system that reports the CPU time of threads',
  () => {
    /** A thread that works for so many milliseconds, or sleeps, as one does that gets no CPU. */
    const threadThat = (does: 'works' | 'sleeps', takes: number) => {
      const file = createRequire(import.meta.url).resolve('#dist/generator/workers/timed-run.js');
      const module = pathToFileURL(file).href;
      const source = `
      import { parentPort, workerData } from 'node:worker_threads';
      import { markStart } from ${JSON.stringify(module)};
      markStart(workerData.startedAt);
      const end = performance.now() + ${takes};
      if (${JSON.stringify(does)} === 'works') while (performance.now() < end);
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${takes});
      parentPort.postMessage('done');`;
      return {
        async run({ startedAt }: Task, { signal }: { signal: AbortSignal }) {
          const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
          const worker = new Worker(url, { workerData: { startedAt } });
          try {
            const [reply] = await once(worker, 'message', { signal });
            return reply;
          } finally {
            await worker.terminate();
          }
        },
      } as unknown as Piscina<Task, string>;
    };

    it('a task that gets no CPU is not ended as slow', async () => {
      await expect(runTimed(threadThat('sleeps', 2_000), {}, 700)).resolves.toBe('done');
    });

    it('a task that works for its whole time is ended', async () => {
      await expect(runTimed(threadThat('works', 60_000), {}, 700)).rejects.toThrow(TookTooLong);
    });

    it('a task that never ends is ended even if it does nothing', async () => {
      await expect(runTimed(threadThat('sleeps', 60_000), {}, 300)).rejects.toThrow(TookTooLong);
    });
  },
);
