import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { type SilenceWatch, watchSilence } from '../../../server/builder/silence.ts';

let watch: SilenceWatch;
afterEach(() => watch.stop());

const watched = (milliseconds: number) => {
  const onSilent = vi.fn();
  watch = watchSilence(milliseconds, onSilent);
  return onSilent;
};

it('one that gives no sign of life for its time is told of', async () => {
  const onSilent = watched(200);
  await expect.poll(() => onSilent.mock.calls.length, { timeout: 10_000, interval: 20 }).toBeGreaterThan(0);
});

it('one that does in time is not', async () => {
  const onSilent = watched(2_000);
  for (let n = 0; n < 30; n += 1) {
    watch.heartbeat();
    await sleep(100);
  }
  expect(onSilent).not.toHaveBeenCalled();
});

it('a process that stands still takes nobody’s silence for death', async () => {
  const onSilent = watched(3_000);
  // Nothing of this thread goes on for so long, as when the machine is suspended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
  await sleep(100);
  expect(onSilent).not.toHaveBeenCalled();
});
