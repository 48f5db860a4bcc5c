import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenBuilder, openBuilder } from '../../../server/rebuild/open-builder.ts';
import type { NewPost } from '../../../server/services/posts.ts';
import {
  brokenLinks,
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../../support/press.ts';
import { type Step, steps, take } from '../../support/steps.ts';

const POSTS = 2_000;

let workshop: Workshop;
let builder: OpenBuilder;

beforeAll(async () => {
  workshop = await openWorkshop();
  builder = await openBuilder(workshop.config, { cards: plainCards, bases: null, clock: workshop.clock });
});

afterAll(async () => {
  await builder.close();
  await workshop.close();
});

const tags = ['Rust', 'C++', '日本', 'Ink', 'Paper', 'Type'];

const post = (n: number): NewPost => ({
  title: `Post ${n}`,
  content: `Text ${n}.`,
  tags: [tags[n % 6] ?? '', tags[(n * 7 + 1) % 6] ?? ''],
  status: 'published',
  meta: { description: null, ogImage: null },
});

/** The same, done to a post anywhere in the blog. */
const anywhere = (step: Step): Step => ('post' in step ? { ...step, post: step.post * 41 } : step);

/** The central property (in-step.test.ts), where a press is many batches and lists have hundreds of pages. */
test(`a blog of ${POSTS} posts is in step with a clean build, whatever happens to its old posts`, {
  timeout: 600_000,
}, async () => {
  const caller = await workshop.newCaller('large@example.org');
  const blog = await workshop.newBlog('large', caller);
  for (let n = 0; n < POSTS; n += 50) {
    const some = Array.from({ length: 50 }, (_, index) => post(n + index));
    await Promise.all(some.map((one) => workshop.services.posts.create(caller, blog, one)));
  }
  const press = async () => {
    await builder.drain();
    expect(brokenLinks(readEdge(workshop.edgeDir, blog.slug))).toEqual([]);
  };
  await press();
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      for (const step of taken) await take(anywhere(step), { ...workshop, caller }, blog, press);
      await press();
      const edge = readEdge(workshop.edgeDir, blog.slug);
      expect(differences(edge, await cleanBuild(workshop, blog))).toEqual([]);
    }),
    { numRuns: Number(process.env.PLATEN_PROPERTY_RUNS ?? 2), endOnFailure: true },
  );
});
