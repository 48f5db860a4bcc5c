import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenBuilder, openBuilder } from '../../../server/rebuild/open-builder.ts';
import {
  brokenLinks,
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../../support/press.ts';
import { corners, steps, take } from '../../support/steps.ts';

let workshop: Workshop;
let builder: OpenBuilder;

beforeAll(async () => {
  workshop = await openWorkshop();
  builder = await openBuilder(workshop.config, { cards: plainCards, clock: workshop.clock });
});

afterAll(async () => {
  await builder.close();
  await workshop.close();
});

/**
 * The central property. Whatever clients do to a blog, and however their writes are gathered into rebuilds, the
 * edge is byte for byte what pressing the whole blog from nothing would give, and no page links to a missing one.
 */
test('rebuilds of what changed give the same edge as a clean build of everything', {
  timeout: 300_000,
}, async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const blog = await workshop.newBlog(`blog-${++runs}`);
      const press = async () => {
        await builder.drain();
        const files = readEdge(workshop.config.edgeDir, blog.slug);
        expect(brokenLinks(files)).toEqual([]);
      };
      // The press of the new blog is a clean one, so that all that follow are not.
      await press();
      for (const step of taken) await take(step, workshop, blog, press);
      await press();
      const edge = readEdge(workshop.config.edgeDir, blog.slug);
      expect(differences(edge, await cleanBuild(workshop, blog))).toEqual([]);
    }),
    { numRuns: Number(process.env.PLATEN_PROPERTY_RUNS ?? 60), examples: corners },
  );
});
