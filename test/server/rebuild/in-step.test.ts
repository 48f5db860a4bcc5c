import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenBuilder, openBuilder } from '../../../server/rebuild/open-builder.ts';
import { plainBases, publishedTitles, searchable, withoutBase } from '../../support/bases.ts';
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
  builder = await openBuilder(workshop.config, {
    cards: plainCards,
    bases: plainBases(workshop.config),
    clock: workshop.clock,
  });
});

afterAll(async () => {
  await builder.close();
  await workshop.close();
});

/**
 * The central property. Whatever clients do to a blog, and however their writes are gathered into rebuilds, the
 * edge is byte for byte what pressing the whole blog from nothing would give, no page links to a missing one, and
 * search finds what is published.
 */
test('rebuilds of what changed give the same edge as a clean build of everything', {
  timeout: 300_000,
}, async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      // An account of its own, so that a change of tier presses this blog alone.
      const caller = await workshop.newCaller(`${++runs}@example.org`);
      const blog = await workshop.newBlog(`blog-${runs}`, caller);
      const press = async () => {
        await builder.drain();
        const files = readEdge(workshop.config.edgeDir, blog.slug);
        expect(brokenLinks(files)).toEqual([]);
        expect(searchable(files)).toEqual(await publishedTitles(workshop, blog));
      };
      // The press of the new blog is a clean one, so that all that follow are not.
      await press();
      for (const step of taken) await take(step, { ...workshop, caller }, blog, press);
      await press();
      const edge = readEdge(workshop.config.edgeDir, blog.slug);
      expect(differences(withoutBase(edge), await cleanBuild(workshop, blog))).toEqual([]);
    }),
    { numRuns: Number(process.env.PLATEN_PROPERTY_RUNS ?? 60), examples: corners },
  );
});
