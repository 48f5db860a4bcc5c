import { expect, it } from 'vitest';
import { createWaiters } from '../../../server/rebuilds/waiters.ts';

it('a wake-up resolves all waiters and forgets them', async () => {
  const waiters = createWaiters();
  const asleep = Promise.all([waiters.sleep(60_000), waiters.sleep(60_000)]);
  expect(waiters.count).toBe(2);
  waiters.wakeAll();
  await asleep;
  expect(waiters.count).toBe(0);
});

it('a waiter that times out is forgotten, and no other is', async () => {
  const waiters = createWaiters();
  const other = waiters.sleep(60_000);
  for (let i = 0; i < 20; i += 1) await waiters.sleep(1);
  expect(waiters.count).toBe(1);
  waiters.wakeAll();
  await other;
});
