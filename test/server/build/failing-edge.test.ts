// Slow: lets a builder retry against an edge that fails.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Edge } from '../../../generator/edge/edge.ts';
import { openFilesystemEdge } from '../../../generator/edge/filesystem.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { findReceipt } from '../../../server/rebuilds/store.ts';
import { createLog } from '../../../server/runtime/log.ts';
import { handClock } from '../../support/gate.ts';
import {
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../../support/site-builder.ts';

/** Far beyond the longest wait between two attempts. */
const HOUR_MS = 3_600_000;

let workshop: Workshop;
let builder: OpenBuilder;
let blog: Blog;
let clock: ReturnType<typeof handClock>;
/** Edge operations so far, and the ones that fail. */
let operations: string[];
let fails: (path: string) => boolean;

beforeEach(async () => {
  workshop = await openWorkshop();
  clock = handClock();
  // Ahead of the services' own clock, so that all writes are due.
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

/** Publishes a post, and resolves to the id of its rebuild. */
async function publish(title: string, to = blog): Promise<string> {
  const meta = { description: null, ogImage: null };
  const post = { title, content: 'x', tags: [], status: 'published', meta } as const;
  const { rebuildId } = await workshop.services.posts.create(workshop.caller, to, post);
  return rebuildId ?? expect.fail('no rebuild');
}

const receipt = async (id: string) =>
  (await findReceipt(workshop.services.db, id)) ?? expect.fail('no receipt');

/** Runs the builder and advances the clock until the rebuild has this status. */
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

describe('rebuilds on an edge that fails for a while', () => {
  it('a failed rebuild is retried after ever longer waits, and its receipt gives the error in the meantime', async () => {
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

  it('a failed rebuild is retried soon even if the clock is set back by an hour', async () => {
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

  it('a retried rebuild includes the files that failed attempts wrote', async () => {
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

describe('rebuilds on an edge that fails for one blog', () => {
  it('a rebuild that keeps failing ends in a failed receipt and delays no other blog', async () => {
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

  it('the next write to a blog retries its failed rebuilds too', async () => {
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

  it('a failed rebuild is retried without end, and deletions in the meantime take effect once the edge works', async () => {
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

  it('a restart retries a failed rebuild', async () => {
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
