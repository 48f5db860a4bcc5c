import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Edge } from '../../../generator/edge/edge.ts';
import { openFilesystemEdge } from '../../../generator/edge/filesystem.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { findReceipt } from '../../../server/rebuilds/store.ts';
import { createLog } from '../../../server/runtime/log.ts';
import { handClock } from '../../support/held.ts';
import {
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../../support/press.ts';

/** Far beyond the longest wait between two attempts. */
const HOUR_MS = 3_600_000;

let workshop: Workshop;
let builder: OpenBuilder;
let blog: Blog;
let clock: ReturnType<typeof handClock>;
/** Operations on the edge so far, and which of them fail. */
let operations: string[];
let fails: (path: string) => boolean;

beforeEach(async () => {
  workshop = await openWorkshop();
  clock = handClock();
  // Ahead of the services' own clock, so that all they write is due.
  clock.moveOn(HOUR_MS);
  operations = [];
  fails = () => false;
  builder = await newBuilder();
  blog = await workshop.newBlog('ink');
  await builder.drain();
});

afterEach(async () => {
  await builder.close();
  await workshop.close();
});

async function newBuilder(): Promise<OpenBuilder> {
  const real = await openFilesystemEdge(workshop.edgeDir);
  const through = async (path: string, operate: () => Promise<void>) => {
    operations.push(path);
    if (fails(path)) throw new Error(`no space left for ${path}`);
    await operate();
  };
  const edge: Edge = {
    concurrency: real.concurrency,
    write: (path, bytes) => through(path, () => real.write(path, bytes)),
    async remove(paths) {
      for (const path of paths) await through(path, () => real.remove([path]));
    },
    invalidate: real.invalidate,
  };
  return openBuilder(workshop.config, {
    indexMaker: null,
    edge,
    clock,
    cards: plainCards,
    log: createLog('silent'),
  });
}

/** Publishes a post, and resolves to the rebuild that carries it. */
async function publish(title: string, to = blog): Promise<string> {
  const meta = { description: null, ogImage: null };
  const post = { title, content: 'x', tags: [], status: 'published', meta } as const;
  const { rebuildId } = await workshop.services.posts.create(workshop.caller, to, post);
  return rebuildId ?? expect.fail('no rebuild');
}

const receipt = async (id: string) =>
  (await findReceipt(workshop.services.db, id)) ?? expect.fail('no receipt');

/** Lets the builder work while time passes, until the rebuild has come to this. */
async function untilItIs(id: string, status: string): Promise<void> {
  await vi.waitFor(
    async () => {
      clock.moveOn(HOUR_MS);
      builder.wake();
      expect((await receipt(id)).status).toBe(status);
    },
    { timeout: 60_000, interval: 5 },
  );
}

async function expectInStep(): Promise<void> {
  const edge = readEdge(workshop.edgeDir, blog.slug);
  expect(differences(edge, await cleanBuild(workshop, blog))).toEqual([]);
}

describe('an edge that fails for a while', () => {
  it('is tried again after ever longer waits, and its receipt tells why meanwhile', async () => {
    const id = await publish('First');
    const attempts: number[] = [];
    fails = (path) => path === 'sites/ink/first/index.html' && attempts.length < 3;
    let now = 0;
    for (let step = 0; step < 100 && (await receipt(id)).status !== 'live'; step++) {
      const before = operations.length;
      await builder.drain();
      if (operations.length > before) attempts.push(now);
      if (attempts.length < 4) {
        expect(await receipt(id)).toMatchObject({
          status: 'queued',
          error: 'no space left for sites/ink/first/index.html',
          liveAt: null,
        });
      }
      now += 50;
      clock.moveOn(50);
    }
    const waits = attempts.slice(1).map((attempt, index) => attempt - (attempts[index] ?? 0));
    expect(waits).toEqual([250, 500, 1_000]);
    expect(await receipt(id)).toMatchObject({
      status: 'live',
      error: null,
      filesWritten: expect.any(Number),
    });
    await expectInStep();
  });

  it('is tried again soon, though the clock is set back by an hour meanwhile', async () => {
    fails = (path) => path === 'sites/ink/feed.xml';
    const id = await publish('First');
    await builder.drain();
    expect((await receipt(id)).status).toBe('queued');
    fails = () => false;
    clock.moveOn(-HOUR_MS);
    const running = builder.run();
    await expect.poll(async () => (await receipt(id)).status, { timeout: 10_000 }).toBe('live');
    builder.stop();
    await running;
  });

  it('does not lose what was written by the attempts that failed', async () => {
    fails = (path) => path === 'sites/ink/feed.xml';
    await publish('First');
    await builder.drain();
    await workshop.services.posts.remove(blog, 'first');
    const last = await publish('Second');
    fails = () => false;
    await builder.drain();
    expect((await receipt(last)).status).toBe('live');
    await expectInStep();
  });
});

describe('an edge that fails for one blog', () => {
  it('ends in a failed receipt, and holds up no other blog', async () => {
    fails = (path) => path.startsWith('sites/ink/');
    const running = builder.run();
    const broken = await publish('First');
    await untilItIs(broken, 'failed');
    expect((await receipt(broken)).error).toContain('no space left for sites/ink/');
    const attempts = operations.length;
    const other = await workshop.newBlog('other');
    await untilItIs(await publish('Elsewhere', other), 'live');
    expect(operations.slice(attempts).filter((path) => path.startsWith('sites/ink/'))).toEqual([]);
    builder.stop();
    await running;
  });

  it('is tried again by the next write to the blog, with all that failed before', async () => {
    fails = (path) => path.startsWith('sites/ink/');
    const running = builder.run();
    const broken = await publish('First');
    await untilItIs(broken, 'failed');
    fails = () => false;
    await untilItIs(await publish('Second'), 'live');
    expect(await receipt(broken)).toMatchObject({ status: 'live', error: null });
    builder.stop();
    await running;
    await expectInStep();
  });

  it('is tried again without end, and what was deleted meanwhile is gone when it works again', async () => {
    await publish('First');
    await builder.drain();
    fails = (path) => path.startsWith('sites/ink/');
    await workshop.services.posts.remove(blog, 'first');
    const broken = await publish('Second');
    const running = builder.run();
    await untilItIs(broken, 'failed');
    const attempts = operations.length;
    await vi.waitFor(
      () => {
        clock.moveOn(HOUR_MS);
        expect(operations.length).toBeGreaterThan(attempts + 1);
      },
      { timeout: 30_000 },
    );
    fails = () => false;
    await untilItIs(broken, 'live');
    builder.stop();
    await running;
    expect(readEdge(workshop.edgeDir, blog.slug).has('first/index.html')).toBe(false);
    await expectInStep();
  });

  it('is tried again by a restart', async () => {
    fails = (path) => path.startsWith('sites/ink/');
    const running = builder.run();
    const broken = await publish('First');
    await untilItIs(broken, 'failed');
    builder.stop();
    await running;
    await builder.close();
    fails = () => false;
    builder = await newBuilder();
    await builder.drain();
    expect(await receipt(broken)).toMatchObject({ status: 'live', error: null });
    await expectInStep();
  });
});
