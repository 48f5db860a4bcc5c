// Slow: lets builder threads run out of memory, several times.
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Blog } from '../../server/blogs/blog.ts';
import { openBuilder } from '../../server/builder/open-builder.ts';
import { findReceipt } from '../../server/rebuilds/store.ts';
import { openWorkshop, plainCards, readEdge, type Workshop } from '../support/site-builder.ts';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(() => workshop.close());

/** A builder thread with little memory, which runs out of it when it writes one certain blog. */
const builderThatDies = `
  const { workerData } = require('node:worker_threads');
  (async () => {
    const { openBuilder } = await import(workerData.openBuilder);
    const taken = [];
    const edge = {
      concurrency: 4,
      async write(path) {
        while (path.startsWith('sites/killer/')) taken.push(Array.from({ length: 10_000 }, () => Math.random()));
      },
      async remove() {},
      invalidate: async () => 0,
    };
    const cards = { draw: async () => Buffer.from('card'), close: async () => {} };
    const builder = await openBuilder(workerData.config, { edge, cards, indexMaker: null, blogGroup: workerData.whose, server: 'this' });
    await builder.drain({ isStart: false });
    await builder.close();
  })();`;

/** Runs such a builder. Returns the reason why it ended. */
async function build(whose: 'innocents' | 'suspects'): Promise<string> {
  const resolved = createRequire(import.meta.url).resolve('#dist/server/builder/open-builder.js');
  const thread = new Worker(builderThatDies, {
    eval: true,
    workerData: { config: workshop.config, whose, openBuilder: pathToFileURL(resolved).href },
    resourceLimits: { maxOldGenerationSizeMb: 96 },
  });
  const ended = once(thread, 'exit').then(() => 'ended');
  const died = once(thread, 'error').then(([error]) => String(error.code));
  return Promise.race([died, ended.then(() => new Promise<string>((end) => setImmediate(end, 'ended')))]);
}

/** Runs a healthy builder for all blogs that are not suspects. Returns the number of rebuilds. */
async function buildOthers(): Promise<number> {
  let suspects = 0;
  const builder = await openBuilder(workshop.config, {
    cards: plainCards,
    indexMaker: null,
    blogGroup: 'innocents',
    server: 'this',
    onSuspects: () => {
      suspects += 1;
    },
  });
  await builder.drain({ isStart: false });
  await builder.close();
  return suspects;
}

async function publish(blog: Blog, title: string): Promise<string> {
  const meta = { description: null, ogImage: null };
  const post = { title, content: 'x', tags: [], status: 'published', meta } as const;
  const { rebuildId } = await workshop.services.posts.create(workshop.caller, blog, post);
  return rebuildId ?? expect.fail('no rebuild');
}

it('a blog that ended three builders is set aside, and all other blogs are built in the meantime', async () => {
  const { services, edgeDir } = workshop;
  const [killer, other] = [await workshop.newBlog('killer'), await workshop.newBlog('other')];
  const fatal = await publish(killer, 'Fatal');
  await publish(other, 'A post');
  expect(await build('innocents')).toBe('ERR_WORKER_OUT_OF_MEMORY');

  await publish(await workshop.newBlog('late'), 'Later');
  expect(await buildOthers()).toBeGreaterThan(0);
  expect(readEdge(edgeDir, 'late').has('later/index.html')).toBe(true);
  expect(await services.readiness.attention()).toMatchObject({ setAside: [] });

  for (const _ of ['second', 'third']) expect(await build('suspects')).toBe('ERR_WORKER_OUT_OF_MEMORY');
  // The first death may have made a suspect of the other blog too; building it apart clears it.
  expect(await build('suspects')).toBe('ended');
  expect(await buildOthers()).toBe(0);
  expect((await services.readiness.attention()).setAside).toMatchObject([{ blogId: killer.id }]);
  expect(await findReceipt(services.db, fatal)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/set aside, because 3 attempts to build it ended the builder/),
  });
  await publish(other, 'One more');
  await publish(killer, 'One more');
  expect(await buildOthers()).toBe(0);
  expect(readEdge(edgeDir, 'other').has('one-more/index.html')).toBe(true);
  expect(readEdge(edgeDir, 'killer').size).toBe(0);
});
