// Slow: stops a builder process before one operation after the other, each time for longer than its lease, and
// compares the edge with a clean build; then all of it again in a bucket.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Blog } from '../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../server/builder/open-builder.ts';
import { plainBases, publishedTitles, searchable, withoutBase } from '../support/plain-search-indexes.ts';
import { type S3Server, useS3Server } from '../support/s3-server.ts';
import {
  brokenLinks,
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../support/site-builder.ts';
import { startDyingBuilder } from './dying-builder.ts';

/** Lease length of the stopped builder, and a wait that is a little longer. */
const LEASE_MS = 1_000;
const OVER_MS = 1_100;

let s3: S3Server | undefined;
let workshop: Workshop;
let other: OpenBuilder;
let blog: Blog;
let read: () => Promise<Map<string, string>>;

async function open(env: Readonly<Record<string, string>>): Promise<void> {
  workshop = await openWorkshop(env);
  blog = await workshop.newBlog('shared');
  await publish('First', ['rust', 'c++']);
  other = await openBuilder(workshop.config, {
    indexMaker: plainBases(workshop.config),
    cards: plainCards,
    clock: workshop.clock,
  });
  await other.drain();
}

afterEach(async () => {
  await other.close();
  await workshop.close();
  s3?.release();
});

const publish = (title: string, tags: readonly string[]) =>
  workshop.services.posts.create(workshop.caller, blog, {
    title,
    content: 'Text.',
    tags,
    status: 'published',
    meta: { description: null, ogImage: null },
  });

/** Changes to the posts of the stopped rebuild, made before the other builder recovers the lease. */
const meanwhile: ((slug: string) => Promise<unknown>)[] = [
  async () => {},
  (slug) => workshop.services.posts.remove(blog, slug),
  (slug) => workshop.services.posts.update(blog, slug, { slug: `${slug}-moved`, tags: ['other'] }),
  // Publishes again the post that the stopped builder is about to remove.
  () =>
    workshop.services.posts.create(workshop.caller, blog, {
      title: 'Leaving',
      slug: 'leaving',
      content: 'Come back.',
      tags: ['c++'],
      status: 'published',
      meta: { description: null, ogImage: null },
    }),
];

async function expectInStep(): Promise<void> {
  const edge = await read();
  expect(differences(withoutBase(edge), await cleanBuild(workshop, blog))).toEqual([]);
  expect(brokenLinks(edge)).toEqual([]);
  expect(searchable(edge)).toEqual(await publishedTitles(workshop, blog));
}

/** Stops a builder before one operation after the other until its lease has expired, and then lets it resume. */
async function stopAtOperations(env: Readonly<Record<string, string>>, stride: number): Promise<void> {
  await open(env);
  let stops = 0;
  let builders = 0;
  for (let operation = 1; ; operation += stride) {
    builders += 1;
    const slug = `stopped-${builders}`;
    await workshop.services.posts.remove(blog, 'leaving').catch(() => undefined);
    await publish(slug, ['rust', 'new']);
    const moment = stops % 2 === 0 ? 'stopped' : 'stopped-last';
    const stopped = startDyingBuilder(workshop, operation, moment, { ...env, LEASE_LENGTH: `${LEASE_MS}` });
    if (!(await stopped.stopped)) {
      const left = await workshop.services.db.selectFrom('changes').select('id').execute();
      if (left.length === 0) break;
      // The builder did not get this far: a busy machine delayed it beyond its lease.
      operation -= stride;
      continue;
    }
    stops += 1;
    await meanwhile[stops % meanwhile.length]?.(slug);
    await sleep(OVER_MS);
    await other.drain();
    await expectInStep();
    stopped.process.kill('SIGCONT');
    expect(await stopped.killed).toBe(moment === 'stopped-last');
    await other.drain();
    await expectInStep();
  }
  expect(stops).toBeGreaterThan(4);
  expect(await workshop.services.db.selectFrom('leases').selectAll().execute()).toEqual([]);
  expect(await workshop.services.db.selectFrom('lost_leases').selectAll().execute()).toEqual([]);
}

test('the edge is repaired after a builder resumed past its lease, whether it survives or dies', {
  timeout: 600_000,
}, async () => {
  read = async () => readEdge(workshop.edgeDir, blog.slug);
  await stopAtOperations({}, 2);
});

test('a bucket is repaired after a builder resumed past its lease, whether it survives or dies', {
  timeout: 600_000,
}, async () => {
  const server = await useS3Server();
  s3 = server;
  const bucket = await server.newBucket();
  read = () => server.readBlog(bucket, blog.slug);
  await stopAtOperations(server.env(bucket), 4);
});
