// Slow: starts builder threads, and makes them crash.
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withoutFirstProcessor } from '../../../generator/workers/priority.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type BuilderThread, startBuilderThread } from '../../../server/builder/builder-thread.ts';
import { findReceipt } from '../../../server/rebuilds/store.ts';
import { createLog, type Log } from '../../../server/runtime/log.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let blog: Blog;
let thread: BuilderThread;
let failures: number;

beforeEach(async () => {
  workshop = await openWorkshop();
  blog = await workshop.newBlog('ink');
  failures = 0;
  const error = () => {
    failures += 1;
  };
  const log: Log = { ...createLog('silent'), error };
  thread = startBuilderThread({ ...workshop.config, logLevel: 'silent' }, log, () => {});
});

afterEach(async () => {
  await thread.stop();
  await workshop.close();
});

async function publish(title: string): Promise<string> {
  const meta = { description: null, ogImage: null };
  const post = { title, content: 'x', tags: [], status: 'published', meta } as const;
  const { rebuildId } = await workshop.services.posts.create(workshop.caller, blog, post);
  thread.wake();
  return rebuildId ?? expect.fail('no rebuild');
}

const statusOf = async (id: string) => (await findReceipt(workshop.services.db, id))?.status;
const breakDatabase = () => sql`alter table pending_cards rename to broken`.execute(workshop.services.db);
const mendDatabase = () => sql`alter table broken rename to pending_cards`.execute(workshop.services.db);
const soon = { interval: 20 };

if (process.platform === 'linux') {
  it('the builder thread has a low priority and leaves a processor to requests', async () => {
    const processorsOf = (task: string) =>
      /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/self/task/${task}/status`, 'utf8'))?.[1] ?? '';
    const all = processorsOf(`${process.pid}`);
    const yielding = () =>
      readdirSync('/proc/self/task').filter((task) => getPriority(Number(task)) > getPriority());
    await expect.poll(() => yielding().map(processorsOf), soon).toContain(withoutFirstProcessor(all) || all);
  });
}

it('a builder thread that crashes is started again and resumes its work', async () => {
  await expect.poll(() => statusOf('none'), soon).toBeUndefined();
  await breakDatabase();
  thread.wake();
  await expect.poll(() => failures, soon).toBeGreaterThan(0);
  await mendDatabase();
  const id = await publish('After the fall');
  await expect.poll(() => statusOf(id), soon).toBe('live');
});

it('a builder thread whose database fails ends by itself, and makes no blog a suspect', async () => {
  await expect.poll(() => statusOf('none'), soon).toBeUndefined();
  await breakDatabase();
  thread.wake();
  await expect.poll(() => failures, soon).toBeGreaterThan(0);
  await Promise.all([thread.stop(), mendDatabase()]);
  // A builder that died would have left its file here.
  expect(readdirSync(join(workshop.config.dataDir, 'builders'))).toEqual([]);
});

it('a builder thread that crashed and is told to stop is not started again', async () => {
  await breakDatabase();
  thread.wake();
  await expect.poll(() => failures, soon).toBeGreaterThan(0);
  await Promise.all([thread.stop(), mendDatabase()]);
  const id = await publish('Nobody is there');
  await sleep(2_500);
  expect(await statusOf(id)).toBe('queued');
});

it('a builder thread that is told to stop finishes its work under way', async () => {
  const id = await publish('Under way');
  await expect.poll(() => statusOf(id), soon).not.toBe('queued');
  await thread.stop();
  expect(await statusOf(id)).toBe('live');
});
