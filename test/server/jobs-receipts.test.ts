import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobNamed } from '../../server/jobs.ts';
import { enqueueChange, findReceipt, settleChanges } from '../../server/rebuilds/store.ts';
import { addMilliseconds } from '../../server/runtime/clock.ts';
import { openWorkshop, type Workshop } from '../support/site-builder.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});

afterAll(() => workshop.close());

test('receipts are kept for thirty days after their rebuild went live, and unfinished ones without limit', async () => {
  const { services, clock } = workshop;
  const { db } = services;
  const rebuildSettled = async (daysAgo: number | null) => {
    const blog = await workshop.newBlog(`days-${daysAgo ?? 'never'}`);
    const id = await enqueueChange(db, blog.id, { scope: 'blog' }, clock.now());
    if (daysAgo === null) return id;
    await db.updateTable('rebuilds').set({ status: 'building' }).where('id', '=', id).execute();
    const outcome = { filesWritten: 1, filesRemoved: 0, invalidated: 0, steps: {} };
    await settleChanges(
      db,
      blog.id,
      Number.MAX_SAFE_INTEGER,
      outcome,
      addMilliseconds(clock.now(), -daysAgo * DAY_MS),
    );
    return id;
  };
  const [never, recent, old] = [
    await rebuildSettled(null),
    await rebuildSettled(29),
    await rebuildSettled(31),
  ];
  await jobNamed('delete-old-receipts').run({ ...services, log: { ...services.log, info: () => {} } });
  expect(await findReceipt(db, never)).not.toBeNull();
  expect(await findReceipt(db, recent)).not.toBeNull();
  expect(await findReceipt(db, old)).toBeNull();
});
