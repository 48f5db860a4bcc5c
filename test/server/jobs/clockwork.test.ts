import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startClockwork } from '../../../server/jobs/clockwork.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

it('says in the log, and not on the console, that runs were missed', async () => {
  const printed = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const warnings: unknown[] = [];
  const log = {
    ...platen.services.log,
    info: () => {},
    error: () => {},
    debug: () => {},
    warn: (...told: unknown[]) => warnings.push(told),
  };
  const stop = startClockwork({ ...platen.services, log });
  try {
    const end = performance.now() + 3_500;
    while (performance.now() < end);
    const missed = [{ job: 'publishDuePosts' }, expect.stringMatching(/missed/i)];
    await expect.poll(() => warnings, { timeout: 20_000 }).toContainEqual(missed);
    expect(printed).not.toHaveBeenCalled();
  } finally {
    await stop();
    printed.mockRestore();
  }
});
