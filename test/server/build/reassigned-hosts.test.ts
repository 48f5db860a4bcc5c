import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Edge } from '../../../generator/edge/edge.ts';
import { openFilesystemEdge } from '../../../generator/edge/filesystem.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { assignHost, registerDomain, removeDomain } from '../../../server/domains/store.ts';
import { enqueueChange } from '../../../server/rebuilds/store.ts';
import { createLog } from '../../../server/runtime/log.ts';
import { createDoor } from '../../support/gate.ts';
import { openWorkshop, plainCards, type Workshop } from '../../support/site-builder.ts';

const HOSTNAME = 'www.shared.example';
const FILE = `hosts/${HOSTNAME}`;

let workshop: Workshop;
let builder: OpenBuilder;
let first: Blog;
let second: Blog;
/** Hooks before each edge operation and after each write. */
let before: (path: string, operation: 'write' | 'remove') => Promise<void>;
let after: (path: string) => Promise<void>;

beforeEach(async () => {
  workshop = await openWorkshop();
  before = async () => {};
  after = async () => {};
  const real = await openFilesystemEdge(workshop.edgeDir);
  const edge: Edge = {
    ...real,
    async write(path, bytes) {
      await before(path, 'write');
      await real.write(path, bytes);
      await after(path);
    },
    async remove(paths) {
      for (const path of paths) {
        await before(path, 'remove');
        await real.remove([path]);
      }
    },
  };
  builder = await openBuilder(workshop.config, {
    indexMaker: null,
    edge,
    cards: plainCards,
    clock: workshop.clock,
    log: createLog('silent'),
  });
  first = await workshop.newBlog('first');
  second = await workshop.newBlog('second');
  await take(first);
  await builder.drain();
  expect(told()).toBe('first');
});

afterEach(async () => {
  await builder.close();
  await workshop.close();
});

/** Makes the host name belong to a blog, as after a DNS check. */
async function take(blog: Blog): Promise<void> {
  const { db, clock } = workshop.services;
  await db.transaction().execute(async (tx) => {
    const now = clock.now();
    await registerDomain(tx, blog.id, HOSTNAME, now);
    await assignHost(tx, { blogId: blog.id, hostname: HOSTNAME }, now);
    await enqueueChange(tx, blog.id, { scope: 'blog' }, now);
  });
}

/** The blog that the edge serves at the host name. */
const told = (): string => JSON.parse(readFileSync(join(workshop.edgeDir, FILE), 'utf8')).blog;

const owners = async (): Promise<string[]> => {
  const rows = workshop.services.db.selectFrom('manifest').select('blog_id').where('path', '=', `/${FILE}`);
  return (await rows.execute()).map((row) => row.blog_id);
};

/** Runs the builder, with failures in between, until nothing waits. */
async function settle(): Promise<void> {
  await expect
    .poll(
      async () => {
        await builder.drain();
        const { db } = workshop.services;
        const rebuilds = db.selectFrom('rebuilds').select('id').where('status', '<>', 'live');
        return [...(await rebuilds.execute()), ...(await db.selectFrom('removals').select('slug').execute())];
      },
      { timeout: 60_000 },
    )
    .toEqual([]);
}

it('a retried removal of a deleted blog leaves the host to the blog that has since taken it', async () => {
  await workshop.services.removal.deleteBlog(workshop.caller, first.id);
  let isTaken = false;
  before = async (path) => {
    if (path.startsWith('sites/first/') && !isTaken) throw new Error('the edge fails');
  };
  await builder.drain();
  await take(second);
  const built: string[] = [];
  before = async (path, operation) => {
    if (path === FILE) built.push(operation);
    if (path.startsWith('sites/first/') && !isTaken) throw new Error('the edge fails');
  };
  await builder.drain();
  expect(told()).toBe('second');
  isTaken = true;
  await settle();
  expect(told()).toBe('second');
  expect(await owners()).toEqual([second.id]);
  expect(built).not.toContain('remove');
});

it('a removal that overlaps with another blog’s claim of the host does not remove the new file', async () => {
  await workshop.services.removal.deleteBlog(workshop.caller, first.id);
  const door = createDoor();
  before = (path, operation) => (path === FILE && operation === 'remove' ? door.pass() : Promise.resolve());
  const removed = builder.drain();
  await door.reached;
  await take(second);
  builder.wake();
  await expect.poll(told, { timeout: 60_000 }).toBe('second');
  door.open();
  await removed;
  await settle();
  expect(told()).toBe('second');
  expect(await owners()).toEqual([second.id]);
});

describe('a rebuild while another blog takes the host', () => {
  /**
   * Resolves once the first blog is about to write the file and the second has the host, with a function that resumes
   * the first.
   */
  async function takeMeanwhile(): Promise<{ goOn: () => void; built: Promise<void> }> {
    const { db, clock } = workshop.services;
    await db.updateTable('manifest').set({ hash: 'another' }).where('path', '=', `/${FILE}`).execute();
    await enqueueChange(db, first.id, { scope: 'blog' }, clock.now());
    const door = createDoor();
    let isFirst = true;
    before = (path) => {
      if (path !== FILE || !isFirst) return Promise.resolve();
      isFirst = false;
      return door.pass();
    };
    const built = builder.drain();
    await door.reached;
    await removeDomain(db, first.id, clock.now());
    await take(second);
    builder.wake();
    return { goOn: door.open, built };
  }

  it('a rebuild does not take back a host file that another blog has written', async () => {
    const { goOn, built } = await takeMeanwhile();
    await expect.poll(told, { timeout: 60_000 }).toBe('second');
    goOn();
    await built;
    await settle();
    expect(told()).toBe('second');
    expect(await owners()).toEqual([second.id]);
  });

  it('a rebuild does not take back a host file that another blog has written but not recorded yet', async () => {
    const written = createDoor();
    after = (path) => (path === FILE && told() === 'second' ? written.pass() : Promise.resolve());
    const { goOn, built } = await takeMeanwhile();
    await written.reached;
    goOn();
    await expect.poll(owners, { timeout: 60_000 }).toEqual([second.id]);
    written.open();
    await built;
    await settle();
    expect(told()).toBe('second');
  });
});
