import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startClockwork } from '../../../server/jobs/clockwork.ts';
import { openWorkshop, type Workshop } from '../../support/press.ts';

const HOUR_MS = 3_600_000;

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(async () => {
  vi.useRealTimers();
  await workshop.close();
});

test.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('jobs go on where the clock is set %s by an hour', async (_, by) => {
  const publishDue = vi.spyOn(workshop.services.publication, 'publishDue');
  const stop = startClockwork(workshop.services);
  await expect.poll(() => publishDue.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(0);
  shiftClock(by);
  const before = publishDue.mock.calls.length;
  await expect.poll(() => publishDue.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(before + 1);
  await stop();
});

/** Has the clock of this process go on from another time. */
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
