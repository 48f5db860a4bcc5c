import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { plainBases, searchable, withoutBase } from '../../support/bases.ts';
import { ExpectedBlog } from '../../support/expected-blog.ts';
import {
  brokenLinks,
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../../support/press.ts';
import { readersView } from '../../support/readers-view.ts';
import { type S3Server, useS3Server } from '../../support/s3-server.ts';
import { corners, steps, take } from '../../support/steps.ts';

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
 * The central property. Whatever clients do to a blog, and however their writes are gathered into rebuilds, the
 * edge is byte for byte what pressing the whole blog from nothing would give, and after each rebuild readers see what
 * was written, no page links to a missing one, and search finds what is published.
 */
async function expectInStep(
  read: (blogSlug: string) => Promise<ReadonlyMap<string, string>>,
  numRuns: number,
): Promise<void> {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      // An account of its own, so that a change of tier presses this blog alone.
      const caller = await workshop.newCaller(`${++runs}@example.org`);
      const blog = await workshop.newBlog(`blog-${runs}`, caller);
      const expected = new ExpectedBlog(blog.name, caller.tier.name);
      const build = async () => {
        await builder.drain();
        const files = await read(blog.slug);
        expect(brokenLinks(files)).toEqual([]);
        expect(searchable(files)).toEqual(expected.titles());
        expect(readersView(files)).toEqual(expected.view());
      };
      // The press of the new blog is a clean one, so that all that follow are not.
      await build();
      for (const step of taken) await take(step, { workshop, caller, blog, expected, build: build });
      await build();
      const edge = await read(blog.slug);
      expect(differences(withoutBase(edge), await cleanBuild(workshop, blog))).toEqual([]);
    }),
    { numRuns, examples: corners },
  );
}

test('rebuilds of what changed give the same edge as a clean build of everything', {
  timeout: 600_000,
}, async () => {
  await open({});
  await expectInStep(async (slug) => readEdge(workshop.edgeDir, slug), RUNS);
});

test('so they do in a bucket', { timeout: 600_000 }, async () => {
  const server = await useS3Server();
  s3 = server;
  const bucket = await server.newBucket();
  await open(server.env(bucket));
  await expectInStep((slug) => server.readBlog(bucket, slug), Math.ceil(RUNS / 3));
});
