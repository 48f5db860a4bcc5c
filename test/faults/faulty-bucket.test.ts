import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openS3Edge } from '../../generator/edge/s3/s3.ts';
import type { Blog } from '../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../server/builder/open-builder.ts';
import { findReceipt } from '../../server/rebuilds/store.ts';
import { addMilliseconds } from '../../server/runtime/clock.ts';
import { type FaultyProxy, faults, startFaultyProxy } from '../support/faulty-proxy.ts';
import { plainBases, publishedTitles, searchable, withoutBase } from '../support/plain-search-indexes.ts';
import { type S3Server, useS3Server } from '../support/s3-server.ts';
import {
  announcedInVain,
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  type Workshop,
} from '../support/site-builder.ts';

// Slow: repeats a publish against a real S3 server once for each of its requests, with another fault each time, and
// compares the whole edge with a clean build.

const HOUR_MS = 3_600_000;

let s3: S3Server;
let proxy: FaultyProxy;
let bucket: string;
let workshop: Workshop;
let builder: OpenBuilder;
let blog: Blog;
let log: string[];
/** Objects that the S3 server holds, and the broken links that ever existed between them. */
let files: Map<string, string>;
let broken: Set<string>;
/** Milliseconds by which the builder's clock is ahead, so that retries are due. */
let ahead: number;

beforeAll(async () => {
  // Shorten the SDK's random delay before a retry, which is up to four seconds.
  const random = Math.random;
  vi.spyOn(Math, 'random').mockImplementation(() => random() / 50);
  s3 = await useS3Server();
}, 300_000);

afterAll(() => {
  vi.restoreAllMocks();
  s3?.release();
});

beforeEach(async () => {
  proxy = await startFaultyProxy(s3.endpoint);
  bucket = await s3.newBucket();
  workshop = await openWorkshop(s3.env(bucket));
  ahead = HOUR_MS;
  log = [];
  files = new Map();
  broken = new Set();
  proxy.onDone = ({ method, path }, body) => {
    const removed = method === 'POST' ? [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)] : [];
    for (const [, key = ''] of removed) files.delete(nameOf(key));
    if (method === 'PUT') files.set(nameOf(path.split('?')[0] ?? ''), body.toString());
    for (const link of announcedInVain(files)) broken.add(link);
  };
  builder = await openWith({ request: 60_000 });
  blog = await workshop.newBlog('stormy');
  await publish('First', ['rust', 'c++']);
  await builder.drain();
});

/**
 * Opens a builder with this request timeout in milliseconds. It is short only for requests that never get an answer.
 */
async function openWith({ request }: { request: number }): Promise<OpenBuilder> {
  return openBuilder(workshop.config, {
    indexMaker: plainBases(workshop.config),
    cards: plainCards,
    clock: { now: () => addMilliseconds(workshop.clock.now(), ahead) },
    log: pino({ level: 'warn' }, { write: (line: string) => log.push(line) }),
    edge: openS3Edge({
      bucket,
      endpoint: proxy.endpoint,
      forcePathStyle: true,
      region: null,
      hasInvalidation: false,
      timeouts: { connection: 60_000, request, total: 100_000 },
    }),
  });
}

async function giveUpAfter(milliseconds: number): Promise<void> {
  await builder.close();
  builder = await openWith({ request: milliseconds });
}

afterEach(async () => {
  await builder.close();
  await workshop.close();
  await proxy.close();
});

const nameOf = (path: string): string => path.replace(new RegExp(`^(?:/${bucket}/)?sites/[^/]+/`), '');

const publish = (title: string, tags: readonly string[]) =>
  workshop.services.posts.create(workshop.caller, blog, {
    title,
    content: 'Text.',
    tags,
    status: 'published',
    meta: { description: null, ogImage: null },
  });

const read = () => s3.readBlog(bucket, blog.slug);

/** Runs the builder and advances its clock until every change and card is settled. */
async function settle(): Promise<void> {
  for (let round = 0; round < 30; round++) {
    await builder.drain();
    const waiting = await workshop.services.db.selectFrom('changes').select('id').execute();
    const cards = await workshop.services.db.selectFrom('pending_cards').select('post_id').execute();
    if (waiting.length === 0 && cards.length === 0) return;
    ahead += HOUR_MS;
  }
  expect.fail('it is never settled');
}

async function expectInStep(): Promise<void> {
  const edge = await read();
  expect(differences(withoutBase(edge), await cleanBuild(workshop, blog))).toEqual([]);
  expect([...broken]).toEqual([]);
  expect(searchable(edge)).toEqual(await publishedTitles(workshop, blog));
}

/** Writes that affect every kind of page and remove some pages. */
async function change(n: number): Promise<void> {
  const { posts } = workshop.services;
  await publish(`Post ${n}`, ['rust', 'new']);
  if (n > 0) await posts.remove(blog, `post-${n - 1}`);
  await posts.update(blog, n % 2 === 0 ? 'first' : 'moved', { slug: n % 2 === 0 ? 'moved' : 'first' });
}

describe.each(faults)('a bucket that fails at one request after the other (%s)', (fault) => {
  test('a builder reaches the published state whichever request fails, and never links to a missing page', {
    timeout: 600_000,
  }, async () => {
    if (fault === 'stall') await giveUpAfter(1_000);
    for (let n = 0; n < 100; n++) {
      await change(n);
      // Each kind of fault starts at another request, so that together they hit all requests.
      const fatal = proxy.requests + 1 + n * 4 + (faults.indexOf(fault) % 4);
      let struck = false;
      // The SDK repairs a single fault by itself; after five the whole rebuild fails and is retried.
      const times = n % 3 === 0 ? 1 : 5;
      let left = times;
      let key = '';
      proxy.judge = ({ number, path }) => {
        if (number === fatal) key = path;
        if (key === '' || path !== key || left === 0) return null;
        struck = true;
        left -= 1;
        return fault;
      };
      await settle();
      proxy.judge = () => null;
      await expectInStep();
      if (!struck) {
        expect(n).toBeGreaterThan(4);
        return;
      }
    }
    expect.fail('there are more requests than that');
  });
});

test('a builder reaches the published state although requests fail at random', {
  timeout: 600_000,
}, async () => {
  await giveUpAfter(2_000);
  for (let n = 0; n < 6; n++) {
    await change(n);
    let last = 0;
    // An own pseudo-random generator makes failures reproducible.
    let seed = n + 1;
    proxy.judge = ({ number }) => {
      seed = (seed * 48_271) % 2_147_483_647;
      last = number;
      return seed % 5 === 0 ? (faults[seed % faults.length] ?? null) : null;
    };
    await settle();
    expect(last).toBeGreaterThan(0);
    proxy.judge = () => null;
    await expectInStep();
  }
});

test('the receipt and the log of a rebuild say why it failed if the bucket stays unavailable', async () => {
  proxy.judge = () => '503';
  const { rebuildId } = await publish('Late', ['rust']);
  const receipt = () => findReceipt(workshop.services.db, rebuildId ?? '');
  const running = builder.run();
  const untilItIs = (status: string) =>
    expect
      .poll(
        async () => {
          ahead += HOUR_MS;
          builder.wake();
          return (await receipt())?.status;
        },
        { interval: 100 },
      )
      .toBe(status);
  await untilItIs('failed');
  expect(await receipt()).toMatchObject({
    error: expect.stringMatching(/^bucket test-.*: writing sites\/stormy\/.*: S3 throttles requests/),
  });
  expect(log.join('')).toContain('S3 throttles requests');
  // The rebuild is retried by itself when its wait is over.
  proxy.judge = () => null;
  await untilItIs('live');
  await publish('Next', []);
  await expect.poll(read).toSatisfy((edge) => edge.has('next/index.html'));
  const cards = () => workshop.services.db.selectFrom('pending_cards').select('post_id').execute();
  await expect.poll(cards).toEqual([]);
  builder.stop();
  await running;
  // A change may still wait for a search index that is complete by now; a builder that was told to stop does not
  // start it.
  await builder.close();
  builder = await openWith({ request: 60_000 });
  await builder.drain({ isStart: false });
  await expectInStep();
});
