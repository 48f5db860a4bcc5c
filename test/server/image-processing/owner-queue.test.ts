import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createOwnerQueue } from '../../../server/image-processing/owner-queue.ts';
import { createDoor } from '../../support/gate.ts';

/** Work that records its start and ends on demand. */
function workbench(atOnce: number) {
  const turns = createOwnerQueue(atOnce);
  const started: string[] = [];
  const take = (name: string) => {
    const door = createDoor();
    const done = turns.run(name, () => {
      started.push(name);
      return door.pass();
    });
    return { end: door.open, done };
  };
  return { turns, started, take };
}

it('a limited number of owners work at once, and the others follow in order', async () => {
  const { started, take } = workbench(2);
  const [a, b, c] = [take('a'), take('b'), take('c'), take('d')];
  await setImmediate();
  expect(started).toEqual(['a', 'b']);
  b.end();
  await b.done;
  await setImmediate();
  expect(started).toEqual(['a', 'b', 'c']);
  a.end();
  c.end();
  await Promise.all([a.done, c.done]);
  await setImmediate();
  expect(started).toEqual(['a', 'b', 'c', 'd']);
});

it('no owner has two pieces of work running, so that a busy one delays nobody', async () => {
  const { started, take } = workbench(2);
  const first = take('greedy');
  take('greedy');
  take('greedy');
  take('modest');
  await setImmediate();
  expect(started).toEqual(['greedy', 'modest']);
  first.end();
  await first.done;
  await setImmediate();
  expect(started).toEqual(['greedy', 'modest', 'greedy']);
});

it('work that fails frees its slot like any other', async () => {
  const { turns } = workbench(1);
  await expect(turns.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await turns.run('a', async () => 'worked')).toBe('worked');
});
