import { setTimeout as sleep } from 'node:timers/promises';
import type { Piscina } from 'piscina';
import { expect, it } from 'vitest';
import { markStart, runTimed, type StartedAt, TookTooLong } from '../../../generator/pool/timed-run.ts';

type Task = { readonly startedAt: StartedAt };

/** A pool whose thread takes a task up after a while and has it for another, in milliseconds. */
const poolOf = (waits: number, takes: number) =>
  ({
    async run({ startedAt }: Task, { signal }: { signal: AbortSignal }) {
      await sleep(waits, undefined, { signal });
      markStart(startedAt);
      await sleep(takes, undefined, { signal });
      return 'done';
    },
  }) as unknown as Piscina<Task, string>;

it('ends a task that takes longer than its time', async () => {
  await expect(runTimed(poolOf(0, 60_000), {}, 700)).rejects.toThrow(TookTooLong);
});

it('does not count the time in which a task waits for a thread', async () => {
  await expect(runTimed(poolOf(3_000, 0), {}, 2_000)).resolves.toBe('done');
});

it('does not count the time in which the process stands still', async () => {
  const run = runTimed(poolOf(0, 3_200), {}, 3_000);
  await sleep(100);
  // Nothing of this thread goes on for so long.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_050);
  await expect(run).resolves.toBe('done');
});
