// Slow: waits for timeouts, and blocks its own thread for four seconds.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { type SilenceWatch, watchSilence } from '../../../server/builder/heartbeat-watch.ts';

let watch: SilenceWatch;
afterEach(() => watch.stop());

const watched = (milliseconds: number) => {
  const onSilent = vi.fn();
  watch = watchSilence(milliseconds, onSilent);
  return onSilent;
};

it('silence beyond the limit is reported', async () => {
  const onSilent = watched(200);
  await expect.poll(() => onSilent.mock.calls.length, { timeout: 10_000, interval: 20 }).toBeGreaterThan(0);
});

it('signs of life within the limit are not reported as silence', async () => {
  const onSilent = watched(2_000);
  for (let n = 0; n < 30; n += 1) {
    watch.heartbeat();
    await sleep(100);
  }
  expect(onSilent).not.toHaveBeenCalled();
});

it('a suspended process does not report silence of others', async () => {
  const onSilent = watched(3_000);
  // Blocks this thread for so long, as if the machine were suspended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
  await sleep(100);
  expect(onSilent).not.toHaveBeenCalled();
});
