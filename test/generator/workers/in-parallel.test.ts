import { expect, it } from 'vitest';
import { inParallel } from '../../../generator/workers/in-parallel.ts';
import { createDoor } from '../../support/gate.ts';

async function* later<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

it.each([
  ['a list', (items: number[]) => items],
  ['an asynchronous iterable', later<number>],
])(
  'parallel work handles every item of %s once, in order, and never more than the limit at once',
  async (_, from) => {
    const items = Array.from({ length: 20 }, (_, n) => n);
    const begun: number[] = [];
    let [now, most] = [0, 0];
    await inParallel(from(items), 3, async (item) => {
      begun.push(item);
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
    });
    expect(begun).toEqual(items);
    expect(most).toBe(3);
  },
);

it('parallel work starts nothing after a failure, and rejects once the running work has ended', async () => {
  const door = createDoor();
  const begun: number[] = [];
  let told = false;
  const work = inParallel([0, 1, 2, 3], 2, async (item) => {
    begun.push(item);
    if (item === 0) await door.pass();
    else throw new Error('it fails');
  }).finally(() => {
    told = true;
  });
  const refused = expect(work).rejects.toThrow('it fails');
  await new Promise(setImmediate);
  expect(told).toBe(false);
  door.open();
  await refused;
  expect(begun).toEqual([0, 1]);
});
