import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPrecedence } from '../../../server/builder/precedence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether the promise has resolved by now. */
async function isOver(promise: Promise<void>): Promise<boolean> {
  const later = vi.advanceTimersByTimeAsync(0).then(() => false);
  return Promise.race([promise.then(() => true), later]);
}

it('a large rebuild waits for the small ones under way, and not for later ones', async () => {
  const precedence = createPrecedence();
  const large = precedence.begin();
  const [one, two] = [precedence.begin(), precedence.begin()];
  const waits = large.giveWay();
  const later = precedence.begin();
  one.end();
  expect(await isOver(waits)).toBe(false);
  two.end();
  expect(await isOver(waits)).toBe(true);
  const again = large.giveWay();
  expect(await isOver(again)).toBe(false);
  later.end();
  expect(await isOver(again)).toBe(true);
});

it('large rebuilds do not wait for each other, and run at once if nothing else is under way', async () => {
  const precedence = createPrecedence();
  const [one, other] = [precedence.begin(), precedence.begin()];
  const first = one.giveWay();
  expect(await isOver(first)).toBe(false);
  expect(await isOver(other.giveWay())).toBe(true);
  expect(await isOver(first)).toBe(true);
  expect(await isOver(one.giveWay())).toBe(true);
});

it('a small rebuild that waits for its edge delays a large one by a quarter of a second, once', async () => {
  const precedence = createPrecedence();
  const large = precedence.begin();
  precedence.begin();
  const waits = large.giveWay();
  await vi.advanceTimersByTimeAsync(249);
  expect(await isOver(waits)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isOver(waits)).toBe(true);
  expect(await isOver(large.giveWay())).toBe(true);
});
