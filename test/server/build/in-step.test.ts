import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { ExpectedBlog } from '../../support/expected-blog.ts';
import { plainBases, searchable, withoutBase } from '../../support/plain-search-indexes.ts';
import { readersView } from '../../support/readers-view.ts';
import { type S3Server, useS3Server } from '../../support/s3-server.ts';
import {
  brokenLinks,
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../../support/site-builder.ts';
import { corners, steps, take } from '../../support/steps.ts';

// Slow: compares the whole edge with a clean build after each of many random sequences of writes, in a folder and in
// a bucket.

let s3: S3Server | undefined;
let workshop: Workshop;
let builder: OpenBuilder;

async function open(env: Readonly<Record<string, string>>): Promise<void> {
  workshop = await openWorkshop(env);
  builder = await openBuilder(workshop.config, {
    cards: plainCards,
    indexMaker: plainBases(workshop.config),
    clock: workshop.clock,
  });
}

afterEach(async () => {
  await builder.close();
  await workshop.close();
  s3?.release();
});

const RUNS = Number(process.env.PLATEN_PROPERTY_RUNS ?? 60);

/**
 * The central property. Whatever clients do to a blog, and however their writes are grouped into rebuilds, the edge
 * equals a clean build byte for byte; and after each rebuild readers see what was written, no page links to a missing
 * one, and search finds all published posts.
 */
async function expectInStep(
  read: (folder: string) => Promise<ReadonlyMap<string, string>>,
  folders: () => Promise<readonly string[]>,
  numRuns: number,
): Promise<void> {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      // An account of its own, so that a change of tier rebuilds this blog only.
      const caller = await workshop.newCaller(`${++runs}@example.org`);
      const blog = await workshop.newBlog(`blog-${runs}`, caller);
      const expected = new ExpectedBlog(blog.name, caller.tier.name);
      const build = async () => {
        await builder.drain();
        const files = await read(await folderOf(blog));
        expect(brokenLinks(files)).toEqual([]);
        expect(searchable(files)).toEqual(expected.titles());
        expect(readersView(files)).toEqual(expected.view());
      };
      // The first build of a new blog is a full one, so all later rebuilds are partial.
      await build();
      for (const step of taken) await take(step, { workshop, caller, blog, expected, build });
      await build();
      const folder = await folderOf(blog);
      expect((await folders()).filter((name) => name.endsWith(blog.slug) && name !== folder)).toEqual([]);
      const edge = await read(folder);
      expect(differences(withoutBase(edge), await cleanBuild(workshop, blog))).toEqual([]);
    }),
    { numRuns, examples: corners },
  );
}

async function folderOf({ id }: Blog): Promise<string> {
  const { db } = workshop.services;
  return (await db.selectFrom('blogs').select('folder').where('id', '=', id).executeTakeFirstOrThrow())
    .folder;
}

test('partial rebuilds leave the same edge as a clean build', {
  timeout: 600_000,
}, async () => {
  await open({});
  await expectInStep(
    async (folder) => readEdge(workshop.edgeDir, folder),
    async () => readdirSync(join(workshop.edgeDir, 'sites')),
    RUNS,
  );
});

test('partial rebuilds in a bucket leave the same objects as a clean build', {
  timeout: 600_000,
}, async () => {
  const server = await useS3Server();
  s3 = server;
  const bucket = await server.newBucket();
  await open(server.env(bucket));
  await expectInStep(
    (folder) => server.readBlog(bucket, folder),
    async () => [],
    Math.ceil(RUNS / 3),
  );
});
