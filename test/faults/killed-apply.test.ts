// Slow: starts a builder process for every point before and after an edge operation, kills it there, and compares the
// edge with a clean build each time; then all of it again in a bucket.
import { afterEach, expect, test } from 'vitest';
import type { Blog } from '../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../server/builder/open-builder.ts';
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
  type Workshop,
} from '../support/site-builder.ts';
import { startDyingBuilder } from './dying-builder.ts';

let s3: S3Server | undefined;
let workshop: Workshop;
let survivor: OpenBuilder;
let blog: Blog;

async function open(env: Readonly<Record<string, string>>): Promise<void> {
  workshop = await openWorkshop(env);
  blog = await workshop.newBlog('mortal');
  await publish('First', ['rust', 'c++']);
  survivor = await openBuilder(workshop.config, {
    indexMaker: plainBases(workshop.config),
    cards: plainCards,
    clock: workshop.clock,
  });
  await survivor.drain();
}

afterEach(async () => {
  await survivor.close();
  await workshop.close();
  s3?.release();
});

/** Changes to the post of the killed rebuild, made before the next builder starts. */
const aftermaths: ((slug: string) => Promise<unknown>)[] = [
  async () => {},
  (slug) => workshop.services.posts.remove(blog, slug),
  (slug) => workshop.services.posts.update(blog, slug, { slug: `${slug}-moved`, tags: ['other'] }),
];

async function killAtEveryOperation(
  env: Readonly<Record<string, string>>,
  read: () => Promise<Map<string, string>>,
): Promise<void> {
  await open(env);
  let deaths = 0;
  let operations = 0;
  while (true) {
    const slug = `mortal-${deaths}`;
    await publish(slug, ['rust', 'new']);
    await workshop.services.posts.update(blog, 'first', { slug: 'moved' }).catch(() => undefined);
    await workshop.services.posts.update(blog, 'moved', { slug: 'first' }).catch(() => undefined);
    const dying = startDyingBuilder(workshop, deaths + 1, 'killed', env);
    if (!(await dying.killed)) {
      operations = dying.operations();
      break;
    }
    deaths += 1;
    // At no kill does a list lead to a missing post.
    expect(announcedInVain(await read())).toEqual([]);
    await aftermaths[deaths % aftermaths.length]?.(slug);
    await survivor.drain();
    const edge = await read();
    expect(differences(withoutBase(edge), await cleanBuild(workshop, blog))).toEqual([]);
    expect(brokenLinks(edge)).toEqual([]);
    expect(searchable(edge)).toEqual(await publishedTitles(workshop, blog));
  }
  // Post, lists of the blog and of two tags, feed, sitemap and card: fewer operations would mean that no builder died
  // in an apply.
  expect(operations).toBeGreaterThan(8);
  // There is a point before the first operation and one after each.
  expect(deaths).toBeGreaterThan(operations);
}

test(
  'the next builder repairs the edge after a builder was killed before or after any operation',
  {
    timeout: 600_000,
  },
  () => killAtEveryOperation({}, async () => readEdge(workshop.edgeDir, blog.slug)),
);

test('the next builder repairs a bucket after a builder was killed before or after any operation', {
  timeout: 600_000,
}, async () => {
  const server = await useS3Server();
  s3 = server;
  const bucket = await server.newBucket();
  await killAtEveryOperation(server.env(bucket), () => server.readBlog(bucket, blog.slug));
});

const publish = (title: string, tags: readonly string[]) =>
  workshop.services.posts.create(workshop.caller, blog, {
    title,
    content: 'Text.',
    tags,
    status: 'published',
    meta: { description: null, ogImage: null },
  });
