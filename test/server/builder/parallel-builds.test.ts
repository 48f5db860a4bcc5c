// Slow: lets several builders and their threads build at once.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Edge } from '../../../generator/edge/edge.ts';
import { openFilesystemEdge } from '../../../generator/edge/filesystem.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { findReceipt } from '../../../server/rebuilds/store.ts';
import { createDoor } from '../../support/gate.ts';
import { plainBases } from '../../support/plain-search-indexes.ts';
import {
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../../support/site-builder.ts';

let workshop: Workshop;
let builder: OpenBuilder;
/** A hook that each edge write has to pass. */
let pass: (path: string) => Promise<void>;
/** A hook for the end of a piece of the builder's work. */
let onEnd: () => void;

beforeEach(async () => {
  workshop = await openWorkshop();
  const real = await openFilesystemEdge(workshop.edgeDir);
  pass = async () => {};
  onEnd = () => {};
  const edge: Edge = {
    concurrency: real.concurrency,
    async write(path, bytes) {
      await pass(path);
      await real.write(path, bytes);
    },
    remove: real.remove,
    invalidate: real.invalidate,
  };
  builder = await openBuilder(workshop.config, {
    indexMaker: plainBases(workshop.config),
    edge,
    cards: plainCards,
    clock: workshop.clock,
    onProgress: () => onEnd(),
  });
});

afterEach(async () => {
  vi.useRealTimers();
  await builder.close();
  await workshop.close();
});

async function publish(blog: Blog, title: string): Promise<string> {
  const meta = { description: null, ogImage: null };
  const post = { title, content: 'x', tags: ['rust'], status: 'published', meta } as const;
  const { rebuildId } = await workshop.services.posts.create(workshop.caller, blog, post);
  return rebuildId ?? expect.fail('no rebuild');
}

const receipt = (id: string) => findReceipt(workshop.services.db, id);

it('fifty posts written while their blog is being built go live in one rebuild', async () => {
  const blog = await workshop.newBlog('busy');
  await builder.drain();
  const door = createDoor();
  pass = door.pass;
  const first = await publish(blog, 'First');
  const drained = builder.drain();
  await door.reached;
  const ids = await Promise.all(Array.from({ length: 50 }, (_, n) => publish(blog, `Post ${n}`)));
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).not.toBe(first);
  expect([(await receipt(first))?.status, (await receipt(ids[0] ?? ''))?.status]).toEqual([
    'building',
    'queued',
  ]);
  pass = async () => {};
  door.open();
  await drained;
  expect([(await receipt(first))?.status, (await receipt(ids[0] ?? ''))?.status]).toEqual(['live', 'live']);
  const edge = readEdge(workshop.edgeDir, blog.slug);
  expect(edge.has('post-49/index.html')).toBe(true);
  expect(differences(edge, await cleanBuild(workshop, blog))).toEqual([]);
});

it('a blog under constant writes collects changes before its next build', async () => {
  const blog = await workshop.newBlog('busy');
  await builder.drain();
  const door = createDoor();
  pass = door.pass;
  await publish(blog, 'First');
  // The debounce ends only when the test says so, however long a publish takes here.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const drained = builder.drain();
  await door.reached;
  const second = await publish(blog, 'While the first is built');
  const third = new Promise<string>((resolve, reject) => {
    onEnd = () => {
      onEnd = () => {};
      publish(blog, 'When that is live').then(resolve, reject);
    };
  });
  pass = async () => {};
  door.open();
  expect(await third).toBe(second);
  await vi.advanceTimersByTimeAsync(200);
  await drained;
  expect((await receipt(second))?.status).toBe('live');
  expect(differences(readEdge(workshop.edgeDir, blog.slug), await cleanBuild(workshop, blog))).toEqual([]);
});

it('a post deleted during its build is removed by the rebuild of the deletion', async () => {
  const blog = await workshop.newBlog('fickle');
  await builder.drain();
  const door = createDoor();
  pass = (path) => (path.endsWith('short-lived/index.html') ? door.pass() : Promise.resolve());
  await publish(blog, 'Short-lived');
  const drained = builder.drain();
  await door.reached;
  await workshop.services.posts.remove(blog, 'short-lived');
  door.open();
  await drained;
  const edge = readEdge(workshop.edgeDir, blog.slug);
  expect([...edge.keys()].filter((path) => path.startsWith('short-lived'))).toEqual([]);
  expect(differences(edge, await cleanBuild(workshop, blog))).toEqual([]);
});

it('a blog with an unresponsive edge does not delay another blog', async () => {
  const [slow, quick] = [await workshop.newBlog('slow'), await workshop.newBlog('quick')];
  await builder.drain();
  const door = createDoor();
  pass = (path) => (path.startsWith('sites/slow/') ? door.pass() : Promise.resolve());
  const held = await publish(slow, 'Held up');
  const drained = builder.drain();
  await door.reached;
  const free = await publish(quick, 'Free');
  builder.wake();
  await expect.poll(async () => (await receipt(free))?.status).toBe('live');
  expect((await receipt(held))?.status).toBe('building');
  door.open();
  await drained;
  expect((await receipt(held))?.status).toBe('live');
});

it('a builder that is told to stop finishes its work under way, and starts no more', async () => {
  const [blog, other] = [await workshop.newBlog('ending'), await workshop.newBlog('waiting')];
  await builder.drain();
  const door = createDoor();
  pass = door.pass;
  const last = await publish(blog, 'Last');
  let ended = false;
  const running = builder.run().finally(() => {
    ended = true;
  });
  await door.reached;
  builder.stop();
  const late = await publish(other, 'Too late');
  expect([ended, (await receipt(last))?.status]).toEqual([false, 'building']);
  door.open();
  await running;
  expect([(await receipt(last))?.status, (await receipt(late))?.status]).toEqual(['live', 'queued']);
});
