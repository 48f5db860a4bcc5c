import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { applyRemovals, applyWrites } from '../../../generator/edge/apply.ts';
import type { Edge } from '../../../generator/edge/edge.ts';
import type { OutputFile } from '../../../generator/page.ts';
import type { Stage } from '../../../generator/upload-order.ts';

const file = (path: string, stage: Stage): OutputFile => ({
  key: path,
  path,
  stage,
  bytes: Buffer.from(path),
  hash: path,
});
const files = (count: number, stage: Stage) =>
  Array.from({ length: count }, (_, n) => file(`${stage}-${n}`, stage));

/** An edge with slow operations, which records the start and end of each in order. */
function slowEdge(fails: (path: string) => boolean = () => false) {
  const events: string[] = [];
  let underWay = 0;
  let most = 0;
  const operate = async (name: string, path: string) => {
    events.push(`${name} ${path}`);
    most = Math.max(most, ++underWay);
    await sleep(1 + Math.random() * 5);
    underWay -= 1;
    if (fails(path)) throw new Error(`no room for ${path}`);
    events.push(`done ${path}`);
  };
  const edge: Edge = {
    concurrency: 16,
    write: (path) => operate('write', path),
    async remove(paths) {
      for (const path of paths) await operate('remove', path);
    },
    async invalidate(paths) {
      for (const path of paths) await operate('invalidate', path);
      return paths.length;
    },
  };
  return { edge, events, most: () => most, underWay: () => underWay };
}

describe('writes of an apply', () => {
  it('an apply finishes posts before lists, and lists before feeds, in whatever order it gets them', async () => {
    const { edge, events } = slowEdge();
    await applyWrites(edge, 'ink', [...files(3, 'feeds'), ...files(30, 'posts'), ...files(5, 'lists')]);
    const stageOf = (event: string) =>
      ['posts', 'lists', 'feeds'].findIndex((stage) => event.includes(stage));
    const order = events.map(stageOf);
    expect(order).toEqual([...order].sort());
    expect(events).toHaveLength(2 * 38);
    expect(events).toContain('done sites/ink/lists-4');
  });

  it('an apply writes new files before existing ones that may link to them, and headers before both', async () => {
    const { edge, events } = slowEdge();
    const there = [...files(9, 'lists'), ...files(9, 'posts'), ...files(9, 'headers')];
    const added = (['feeds', 'lists', 'posts'] as const).flatMap((stage) => [
      file(`new-${stage}-0`, stage),
      file(`new-${stage}-1`, stage),
    ]);
    await applyWrites(edge, 'ink', [...there, ...added], { isNew: (file) => added.includes(file) });
    const steps = ['headers', 'new-posts', 'new-lists', 'new-feeds', '/posts', '/lists'];
    const order = events.map((event) => steps.findIndex((name) => event.includes(name)));
    expect(order).toEqual([...order].sort());
    expect(new Set(order)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(events).toHaveLength(2 * 33);
  });

  it('an apply writes several files at once, up to a limit', async () => {
    const { edge, most } = slowEdge();
    await applyWrites(edge, 'ink', files(60, 'posts'));
    expect(most()).toBeGreaterThan(4);
    expect(most()).toBeLessThan(33);
  });

  it('an apply yields after a few files, even if writes take no time', async () => {
    const written: string[] = [];
    const edge: Edge = { ...slowEdge().edge, write: async (path) => void written.push(path) };
    let goOn = () => {};
    const giveWay = () =>
      new Promise<void>((resolve) => {
        goOn = resolve;
      });
    const writes = applyWrites(edge, 'ink', files(40, 'posts'), { giveWay });
    await sleep(20);
    expect(written.length).toBeGreaterThan(0);
    expect(written.length).toBeLessThanOrEqual(16);
    goOn();
    await sleep(20);
    expect(written.length).toBeLessThanOrEqual(32);
    goOn();
    await writes;
    expect(written).toHaveLength(40);
  });

  it('an apply that fails waits for the other writes under way before it rejects, and starts no further stage', async () => {
    const { edge, events, underWay } = slowEdge((path) => path.endsWith('posts-0'));
    const writes = applyWrites(edge, 'ink', [...files(40, 'posts'), ...files(1, 'lists')]);
    await expect(writes).rejects.toThrow('no room for sites/ink/posts-0');
    expect(underWay()).toBe(0);
    const before = events.length;
    await sleep(20);
    expect(events).toHaveLength(before);
    expect(events.join()).not.toContain('lists');
  });
});

describe('removals of an apply', () => {
  it('an apply removes the given files, and invalidates their copies after that', async () => {
    const { edge, events } = slowEdge();
    expect(await applyRemovals(edge, 'ink', ['a/index.html', 'tags/日本/index.html'])).toBe(2);
    expect(events.filter((event) => !event.startsWith('done'))).toEqual([
      'remove sites/ink/a/index.html',
      'remove sites/ink/tags/日本/index.html',
      'invalidate sites/ink/a/index.html',
      'invalidate sites/ink/tags/日本/index.html',
    ]);
  });

  it('an apply reports a removal that fails', async () => {
    const { edge, underWay } = slowEdge((path) => path.endsWith('3'));
    await expect(applyRemovals(edge, 'ink', ['1', '2', '3', '4'])).rejects.toThrow('no room for sites/ink/3');
    expect(underWay()).toBe(0);
  });
});
