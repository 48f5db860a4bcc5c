import { describe, expect, it } from 'vitest';
import { createFairQueue, type TaskOwner, TooMuchWaiting } from '../../../generator/workers/fair-queue.ts';

/** A queue whose work ends on demand; `begun` lists the started work in order. */
function openQueue(options: { slots: number; waitingPerOwner?: number }) {
  const queue = createFairQueue({ waitingPerOwner: 100, ...options });
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const add = (share: TaskOwner, name: string) =>
    queue.run(share, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(`${name} done`)));
      });
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await new Promise(setImmediate);
  };
  return { queue, begun, add, end };
}

const ann = { owner: 'ann' };
const bob = { owner: 'bob' };
const cleo = { owner: 'cleo' };

describe('a fair queue', () => {
  it('a fair queue starts work at once while a slot is free, and never exceeds its slots', async () => {
    const { add, begun, end } = openQueue({ slots: 2 });
    for (const name of ['1', '2', '3', '4']) void add(ann, name);
    expect(begun).toEqual(['1', '2']);
    await end('2');
    expect(begun).toEqual(['1', '2', '3']);
  });

  it('a fair queue alternates between owners and takes the oldest work of each', async () => {
    const { add, begun, end } = openQueue({ slots: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add(ann, name);
    for (const name of ['b1', 'b2']) void add(bob, name);
    void add(cleo, 'c1');
    for (let n = 0; n < 7; n += 1) await end(begun[n] ?? '');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('a new owner in a fair queue waits for at most one piece of work of each other owner', async () => {
    const { add, begun, end } = openQueue({ slots: 1 });
    for (let n = 0; n < 50; n += 1) void add(ann, `a${n}`);
    await end('a0');
    void add(bob, 'b');
    await end('a1');
    await end(begun[2] ?? '');
    expect(begun.slice(0, 4)).toContain('b');
  });

  it('a fair queue runs background work only while no owner waits', async () => {
    const { add, begun, end } = openQueue({ slots: 1 });
    void add('background', 'old1');
    void add('background', 'old2');
    void add(ann, 'a1');
    void add(ann, 'a2');
    for (let n = 0; n < 4; n += 1) await end(begun[n] ?? '');
    expect(begun).toEqual(['old1', 'a1', 'a2', 'old2']);
  });

  it('a fair queue passes on the result of the work, and continues after a failure', async () => {
    const { add, begun, end } = openQueue({ slots: 1 });
    const failed = expect(add(ann, '1')).rejects.toThrow('broken');
    const done = add(ann, '2');
    await end('1', new Error('broken'));
    await failed;
    expect(begun).toEqual(['1', '2']);
    await end('2');
    expect(await done).toBe('2 done');
  });

  it('a fair queue rejects work over an owner’s limit without starting it, and no other owner’s work', async () => {
    const { add, begun, end } = openQueue({ slots: 1, waitingPerOwner: 2 });
    for (const name of ['1', '2', '3']) void add(ann, name);
    await expect(add(ann, '4')).rejects.toThrow(TooMuchWaiting);
    void add(bob, 'b');
    for (let n = 0; n < 3; n += 1) void add('background', `old${n}`);
    await end('1');
    void add(ann, '5');
    for (let n = 1; n < 8; n += 1) await end(begun[n] ?? '');
    expect(begun).not.toContain('4');
    expect(begun).toHaveLength(8);
  });

  it('a fair queue is idle once nothing runs or waits', async () => {
    const { queue, add, end } = openQueue({ slots: 1 });
    await queue.idle();
    void add(ann, '1');
    void add(bob, '2');
    let idle = false;
    const told = queue.idle().then(() => {
      idle = true;
    });
    await end('1');
    expect(idle).toBe(false);
    await end('2');
    await told;
  });
});
