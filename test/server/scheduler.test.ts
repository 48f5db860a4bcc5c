// Slow: waits for jobs that start at a full second.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startScheduler } from '../../server/scheduler.ts';
import { openWorkshop, type Workshop } from '../support/site-builder.ts';

const HOUR_MS = 3_600_000;

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await workshop.close();
});

test.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('jobs still run if the clock is set %s by an hour', async (_, by) => {
  const publishDue = vi.spyOn(workshop.services.publication, 'publishDue');
  const stop = startScheduler(workshop.services);
  await expect.poll(() => publishDue.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(0);
  shiftClock(by);
  const before = publishDue.mock.calls.length;
  await expect.poll(() => publishDue.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(before + 1);
  await stop();
});

test('missed runs are written to the log, not to the console', async () => {
  const printed = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const said: unknown[] = [];
  const log = {
    ...workshop.services.log,
    info: () => {},
    error: () => {},
    warn: () => {},
    debug: (...told: unknown[]) => said.push(told),
  };
  const stop = startScheduler({ ...workshop.services, log });
  try {
    const end = performance.now() + 3_500;
    while (performance.now() < end);
    const missed = [{ job: 'publish-due-posts' }, expect.stringMatching(/missed/i)];
    await expect.poll(() => said, { timeout: 20_000 }).toContainEqual(missed);
    expect(printed).not.toHaveBeenCalled();
  } finally {
    await stop();
    printed.mockRestore();
  }
});

/** Shifts the clock of this process. */
function shiftClock(by: number): void {
  const RealDate = Date;
  vi.stubGlobal(
    'Date',
    class extends RealDate {
      static override now() {
        return RealDate.now() + by;
      }
      constructor(...given: []) {
        if (given.length === 0) super(RealDate.now() + by);
        else super(...given);
      }
    },
  );
}
