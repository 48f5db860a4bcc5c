import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Edge } from '../../../generator/edge/edge.ts';
import { recoverLeases } from '../../../server/build/lease-recovery.ts';
import { createLeases, LeaseLost, type Leases } from '../../../server/build/leases.ts';
import { claimBlog } from '../../../server/rebuilds/claims.ts';
import { blogWork } from '../../../server/rebuilds/leases-store.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

const HOUR_MS = 3_600_000;
const LEASE_MS = 400;

let workshop: Workshop;
let folder: string;
let mine: Leases;
let others: Leases;
beforeEach(async () => {
  workshop = await openWorkshop();
  folder = mkdtempSync(join(tmpdir(), 'platen-builders-'));
  mine = open(30_000);
  others = open(LEASE_MS);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await mine.close();
  await others.close();
  rmSync(folder, { recursive: true });
  await workshop.close();
});

const open = (length: number) =>
  createLeases({ db: workshop.services.db, clock: workshop.clock, folder, length });

const edge: Edge = {
  concurrency: 1,
  write: async () => {},
  remove: async () => {},
  invalidate: async () => 0,
};
const work = blogWork('a');
const holders = async () =>
  (await workshop.services.db.selectFrom('leases').select('holder').execute()).map(({ holder }) => holder);

/** Sets the machine's clock; the expiry of existing leases refers to the old time. */
async function setClock(by: number): Promise<void> {
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + by);
  await workshop.services.db
    .updateTable('leases')
    .set((eb) => ({ expires_at: eb('expires_at', '-', by) }))
    .execute();
}

describe.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('leases while the clock is set %s by an hour', (_, by) => {
  it('a clock change takes no lease from a live builder', async () => {
    const lease = await mine.take(work, 'a');
    await setClock(by);
    await lease?.guard(edge).write('sites/a/index.html', Buffer.from('x'));
    await others.recover();
    expect(await holders()).toEqual([mine.terms.holder]);
    await lease?.transaction(async () => {});
    await lease?.release();
    expect(await holders()).toEqual([]);
  });

  it('the lease of a stopped builder still expires after a clock change', async () => {
    await mine.take(work, 'a');
    await setClock(by);
    await others.recover();
    await sleep(LEASE_MS);
    await expect
      .poll(async () => {
        await others.recover();
        return holders();
      })
      .toEqual([]);
  });
});

it('a builder whose lease another took over records nothing, even before its own clock expires it', async () => {
  const { db } = workshop.services;
  const lease = await mine.take(work, 'a');
  await db.deleteFrom('leases').execute();
  await others.take(work, 'a');
  const write = vi.fn(async () => {});
  await expect(lease?.transaction(write)).rejects.toThrow(LeaseLost);
  expect(write).not.toHaveBeenCalled();
  await lease?.release();
  expect(await holders()).toEqual([others.terms.holder]);
});

it('a blog that blocks builders is set aside: each lost its lease before it was ended', async () => {
  const { db } = workshop.services;
  const blog = await workshop.newBlog('blocking');
  const anyBlog = { whose: 'all', size: 'large', exceptBlogs: [], exceptAccounts: [] } as const;
  for (const deaths of [1, 2, 3]) {
    const holder = `blocked-${deaths}`;
    const now = workshop.clock.now();
    const claimed =
      (await claimBlog(db, now, { holder, length: LEASE_MS }, anyBlog)) ??
      (await claimBlog(db, now, { holder, length: LEASE_MS }, { ...anyBlog, size: 'small' }));
    expect(claimed?.blogId).toBe(blog.id);
    await db.updateTable('leases').set({ expires_at: 1 }).where('holder', '=', holder).execute();
    expect(await recoverLeases(db, holder, { fate: 'alive', now })).toEqual([]);
    expect(await recoverLeases(db, holder, { fate: 'died', now })).toMatchObject([{ suspicion: deaths * 3 }]);
    expect(await recoverLeases(db, holder, { fate: 'died', now })).toEqual([]);
  }
  const rebuilds = await db.selectFrom('rebuilds').select(['status', 'error']).execute();
  expect(rebuilds).toContainEqual({ status: 'failed', error: expect.stringMatching(/set aside/) });
  // A repair in the queue would be tried every ten minutes.
  expect(rebuilds.filter(({ status }) => status === 'queued')).toEqual([]);
});
