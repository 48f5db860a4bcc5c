import { expect, it } from 'vitest';
import { cacheUnlessRejected, memoised } from '../../../generator/workers/memoised.ts';

/** Fails the first time that it is called, and returns the number of the call from then on. */
function failingOnce() {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls === 1) throw new Error('not yet');
    return calls;
  };
}

it('makes a value once for all callers', async () => {
  let calls = 0;
  const get = memoised(async () => {
    calls += 1;
    return {};
  });
  const [first, second] = await Promise.all([get(), get()]);
  expect([calls, first === second, (await get()) === first]).toEqual([1, true, true]);
});

it('gives a rejection to those who wait for it, and tries again for the next', async () => {
  const get = memoised(failingOnce());
  const both = await Promise.allSettled([get(), get()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([await get(), await get()]).toEqual([2, 2]);
});

it('forgets a rejection under its key alone, and never what has taken its place', async () => {
  const cache = new Map<string, Promise<number>>();
  const make = failingOnce();
  const failed = cacheUnlessRejected(cache, 'a', make());
  const kept = cacheUnlessRejected(cache, 'b', make());
  const replaced = cacheUnlessRejected(cache, 'a', make());
  await expect(failed).rejects.toThrow('not yet');
  expect([cache.get('a'), cache.get('b')]).toEqual([replaced, kept]);
  expect([await replaced, await kept]).toEqual([3, 2]);
});
