import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCredentials } from '../../../server/credentials/credentials.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

it('a key works until the last millisecond before it expires', async () => {
  const { db, lastUsed } = workshop.services;
  const at = (now: string) =>
    createCredentials({ db, lastUsed, tiers: workshop.config.tiers, clock: { now: () => now } });
  const { accountId } = workshop.caller;
  const { secret } = await at('2026-01-01T00:00:00.000Z').issue({
    accountId,
    blogId: null,
    name: 'Brief',
    scopes: ['*'],
    expiresAt: '2026-01-02T00:00:00.000Z',
  });
  expect(await at('2026-01-01T23:59:59.999Z').authenticate(secret)).toMatchObject({ accountId });
  await expect(at('2026-01-02T00:00:00.000Z').authenticate(secret)).rejects.toMatchObject({
    code: 'unauthorized',
    message: 'the API key expired at 2026-01-02T00:00:00.000Z',
  });
});
