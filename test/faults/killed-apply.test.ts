// Slow: compares the edge with a clean build for every point before and after an operation on a folder, and kills a
// builder process at each such point on a bucket.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Edge } from '../../generator/edge/edge.ts';
import { edgeOf } from '../../generator/edge/edge-kinds.ts';
import type { Blog } from '../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../server/builder/open-builder.ts';
import { jobNamed } from '../../server/jobs.ts';
import { momentsOf } from '../support/moments.ts';
import { plainBases, publishedTitles, searchable, withoutBase } from '../support/plain-search-indexes.ts';
import { type S3Server, useS3Server } from '../support/s3-server.ts';
import {
  announcedInVain,
  brokenLinks,
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  reopenWorkshop,
  type Workshop,
} from '../support/site-builder.ts';
import { startDyingBuilder } from './dying-builder.ts';

let s3: S3Server | undefined;
let workshop: Workshop;
let blog: Blog;

const openBuilderOf = ({ config, clock }: Workshop, edge?: Edge): Promise<OpenBuilder> =>
  openBuilder(config, {
    indexMaker: plainBases(config),
    cards: plainCards,
    clock,
    ...(edge && { edge }),
  });

/** Runs a builder on a workshop until nothing is left to do. */
async function buildIn(room: Workshop, edge?: Edge): Promise<void> {
  const builder = await openBuilderOf(room, edge);
  await builder.drain();
  await builder.close();
}

async function open(env: Readonly<Record<string, string>>): Promise<void> {
  workshop = await openWorkshop(env);
  blog = await workshop.newBlog('mortal');
  await publish('First', ['rust', 'c++']);
  await buildIn(workshop);
}

afterEach(async () => {
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

/** Writes that change every kind of page. */
async function change(slug: string): Promise<void> {
  const { posts } = workshop.services;
  await publish(slug, ['rust', 'new']);
  await posts.update(blog, 'first', { slug: 'moved' }).catch(() => undefined);
  await posts.update(blog, 'moved', { slug: 'first' }).catch(() => undefined);
}

/** Changes to the post of the killed rebuild, made before the next builder starts. */
const aftermaths: ((room: Workshop, slug: string) => Promise<unknown>)[] = [
  async () => {},
  ({ services }, slug) => services.posts.remove(blog, slug),
  ({ services }, slug) => services.posts.update(blog, slug, { slug: `${slug}-moved`, tags: ['other'] }),
];

const aftermath = (n: number, room: Workshop, slug: string) =>
  aftermaths[n % aftermaths.length]?.(room, slug);

async function expectInStep(room: Workshop, edge: Map<string, string>): Promise<void> {
  expect(differences(withoutBase(edge), await cleanBuild(room, blog))).toEqual([]);
  expect(brokenLinks(edge)).toEqual([]);
  expect(searchable(edge)).toEqual(await publishedTitles(room, blog));
}

/**
 * Post, lists of the blog and of two tags, feed, sitemap and card: with fewer operations, no builder died in an apply.
 */
const FEWEST_OPERATIONS = 9;

test('the next builder repairs the edge after a builder was killed before or after any operation', {
  timeout: 600_000,
}, async () => {
  await open({});
  await change('mortal');
  const { config, clock } = workshop;
  const { kept, operations } = await photographBuild();
  expect(operations).toBeGreaterThanOrEqual(FEWEST_OPERATIONS);
  expect(kept.length).toBeGreaterThan(operations);
  for (const [n, moment] of kept.entries()) {
    const copy = await reopenWorkshop(moment.restoreTo(join(config.dataDir, `killed-${n}`)), {
      ...workshop,
      clock,
    });
    // At no kill does a list lead to a missing post.
    expect(announcedInVain(readEdge(copy.edgeDir, blog.slug))).toEqual([]);
    await aftermath(n, copy, 'mortal');
    await buildIn(copy);
    await expectInStep(copy, readEdge(copy.edgeDir, blog.slug));
    await copy.close();
  }
});

/** Builds, and keeps the data folder as it was before and after each operation on the edge. */
async function photographBuild() {
  const { config } = workshop;
  const { keep, kept } = momentsOf(config.dataDir);
  const real = await edgeOf(config.edge).open();
  let operations = 0;
  const photographed = async <T>(operate: () => Promise<T>): Promise<T> => {
    operations += 1;
    keep();
    const result = await operate();
    keep();
    return result;
  };
  await buildIn(workshop, {
    concurrency: real.concurrency,
    write: (path, bytes) => photographed(() => real.write(path, bytes)),
    remove: (paths) => photographed(() => real.remove(paths)),
    invalidate: (paths) => photographed(() => real.invalidate(paths)),
  });
  return { kept, operations };
}

test('a blog moves to the folder of its new slug, wherever its builder is killed, and readers always find it', {
  timeout: 600_000,
}, async () => {
  await open({});
  const { config, clock, caller, services } = workshop;
  await services.blogs.update(caller, blog.id, { slug: 'renamed' });
  const { kept } = await photographBuild();
  expect(kept.length).toBeGreaterThan(20);
  for (const [n, moment] of kept.entries()) {
    const copy = await reopenWorkshop(moment.restoreTo(join(config.dataDir, `killed-${n}`)), {
      ...workshop,
      clock,
    });
    expectReadable(copy.edgeDir);
    // Some blogs have been given their former slug again by then.
    const slug = n % 3 === 0 ? 'mortal' : 'renamed';
    await copy.services.blogs.update(caller, blog.id, { slug });
    await buildIn(copy);
    expectReadable(copy.edgeDir);
    // It may have waited for its cards, or for its former folder.
    await jobNamed('move-renamed-blogs').run(copy.services);
    await buildIn(copy);
    expectReadable(copy.edgeDir);
    expect(readdirSync(join(copy.edgeDir, 'sites'))).toEqual([slug]);
    await expectInStep(copy, readEdge(copy.edgeDir, slug));
    await copy.close();
  }
});

/** Expects that every host leads to a whole blog, or to a host that does. */
function expectReadable(edgeDir: string): void {
  const hostFiles = readdirSync(join(edgeDir, 'hosts'));
  expect(hostFiles).toContain('mortal.localhost');
  for (const name of hostFiles) {
    const { blog: folder, url } = JSON.parse(readFileSync(join(edgeDir, 'hosts', name), 'utf8'));
    expect(hostFiles).toContain(new URL(url).hostname);
    const files = readEdge(edgeDir, folder);
    for (const page of [
      'index.html',
      'first/index.html',
      'first.md',
      'tags/rust/index.html',
      'feed.xml',
      '404.html',
    ])
      expect(files.has(page), `${page} at ${name}`).toBe(true);
  }
}

test('the next builder repairs a bucket after a builder was killed before or after any operation', {
  timeout: 600_000,
}, async () => {
  const server = await useS3Server();
  s3 = server;
  const bucket = await server.newBucket();
  const env = server.env(bucket);
  const read = () => server.readBlog(bucket, blog.slug);
  await open(env);
  const survivor = await openBuilderOf(workshop);
  let deaths = 0;
  let operations = 0;
  while (operations === 0) {
    const slug = `mortal-${deaths}`;
    await change(slug);
    const dying = startDyingBuilder(workshop, 1 + deaths, 'killed', env);
    if (await dying.killed) {
      deaths += 1;
      expect(announcedInVain(await read())).toEqual([]);
      await aftermath(deaths, workshop, slug);
      await survivor.drain();
      await expectInStep(workshop, await read());
    } else operations = dying.operations();
  }
  await survivor.close();
  expect(operations).toBeGreaterThanOrEqual(FEWEST_OPERATIONS);
  // There is a point before the first operation and one after each.
  expect(deaths).toBeGreaterThan(operations);
});
