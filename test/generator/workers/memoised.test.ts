import { expect, it } from 'vitest';
import { cacheUnlessRejected, joined, memoised } from '../../../generator/workers/memoised.ts';

/** Fails on the first call, and returns the number of the call after that. */
function failingOnce() {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls === 1) throw new Error('not yet');
    return calls;
  };
}

it('a memoised value is made once for all callers', async () => {
  let calls = 0;
  const get = memoised(async () => {
    calls += 1;
    return {};
  });
  const [first, second] = await Promise.all([get(), get()]);
  expect([calls, first === second, (await get()) === first]).toEqual([1, true, true]);
});

it('a memoised rejection reaches the callers that wait, and the next caller tries again', async () => {
  const get = memoised(failingOnce());
  const both = await Promise.allSettled([get(), get()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([await get(), await get()]).toEqual([2, 2]);
});

it('a memoised rejection is forgotten under its own key only, and never removes its successor', async () => {
  const cache = new Map<string, Promise<number>>();
  const make = failingOnce();
  const failed = cacheUnlessRejected(cache, 'a', make());
  const kept = cacheUnlessRejected(cache, 'b', make());
  const replaced = cacheUnlessRejected(cache, 'a', make());
  await expect(failed).rejects.toThrow('not yet');
  expect([cache.get('a'), cache.get('b')]).toEqual([replaced, kept]);
  expect([await replaced, await kept]).toEqual([3, 2]);
});

it('a call joins the one in progress with the same first argument, and starts anew once that has ended', async () => {
  let calls = 0;
  const call = joined(async (key: string) => {
    calls += 1;
    return `${key}${calls}`;
  });
  expect(await Promise.all([call('a'), call('a'), call('b')])).toEqual(['a1', 'a1', 'b2']);
  expect(await call('a')).toBe('a3');
});

it('a joined rejection reaches all its callers, and the next call tries again', async () => {
  const call = joined(failingOnce());
  const both = await Promise.allSettled([call(), call()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await call()).toBe(2);
});
