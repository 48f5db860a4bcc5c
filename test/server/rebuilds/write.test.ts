import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

const nothing = async () => ({ rebuildId: null });

it('a write within a write fails at once instead of waiting for itself, and leaves later writes alone', async () => {
  const { write } = workshop.services;
  const nested = write(async () => write(nothing));
  await expect(nested).rejects.toThrow('a write within a write');
  expect(await write(nothing)).toEqual({ rebuildId: null });
});
