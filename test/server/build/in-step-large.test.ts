import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../../server/access/caller.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { findBlog } from '../../../server/blogs/store.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import type { PostInput } from '../../../server/posts/post.ts';
import type { Receipt } from '../../../server/rebuilds/rebuild.ts';
import { ExpectedBlog } from '../../support/expected-blog.ts';
import { readersView } from '../../support/readers-view.ts';
import {
  brokenLinks,
  cleanBuild,
  differences,
  openWorkshop,
  plainCards,
  readEdge,
  type Workshop,
} from '../../support/site-builder.ts';
import { type Step, steps, take } from '../../support/steps.ts';

// Slow: writes fourteen months of posts, and compares the whole edge with a clean build after random writes.

const POSTS = 2_000;

let workshop: Workshop;
let builder: OpenBuilder;

beforeAll(async () => {
  workshop = await openWorkshop();
  builder = await openBuilder(workshop.config, {
    cards: plainCards,
    indexMaker: null,
    clock: workshop.clock,
  });
});

afterAll(async () => {
  await builder.close();
  await workshop.close();
});

const tags = ['Rust', 'C++', '日本', 'Ink', 'Paper', 'Type'];

const post = (n: number): PostInput => ({
  title: `Post ${n}`,
  content: `Text ${n}.`,
  tags: [tags[n % 6] ?? '', tags[(n * 7 + 1) % 6] ?? ''],
  status: 'published',
  meta: { description: null, ogImage: null },
});

/**
 * A publish "rebuilds only what it touches ... about thirty files", whether the blog has ten posts or thousands
 * (README).
 */
const FILES = 35;

let caller: Caller;
let blog: Blog;
let expected: ExpectedBlog;

/** The same step, applied to posts throughout the blog. */
const anywhere = (step: Step): Step => ('post' in step ? { ...step, post: step.post * 41 } : step);

/** The blog's files, in whatever folder it has by now. */
async function read(): Promise<Map<string, string>> {
  const { folder } = (await findBlog(workshop.services.db, blog.id)) ?? expect.fail('the blog is gone');
  return readEdge(workshop.edgeDir, folder);
}

async function build(): Promise<void> {
  await builder.drain();
  expect(brokenLinks(await read())).toEqual([]);
}

/** Takes a step, and resolves to what its rebuild did to the edge. */
async function built(step: Step): Promise<Pick<Receipt, 'filesWritten' | 'filesRemoved'>> {
  await take(step, { workshop, caller, blog, expected, build });
  await build();
  const { db } = workshop.services;
  const rebuilds = db.selectFrom('rebuilds').where('blog_id', '=', blog.id).orderBy('queued_at', 'desc');
  const { id } = await rebuilds.select('id').limit(1).executeTakeFirstOrThrow();
  return workshop.services.rebuilds.get(caller, id);
}

/** Fourteen months of posts: many list pages of every kind, and two sitemaps. */
beforeAll(async () => {
  caller = await workshop.newCaller('large@example.org');
  blog = await workshop.newBlog('large', caller);
  expected = new ExpectedBlog(blog.name, caller.tier.name);
  for (let n = 0; n < POSTS; n++) {
    const written = post(n);
    expected.created(written, await workshop.services.posts.create(caller, blog, written));
    if (n % 50 === 49) workshop.clock.skip(10);
  }
  await build();
}, 600_000);

it.each<[what: string, step: Step]>([
  ['a publish', { do: 'create', input: post(POSTS) }],
  ['a post with new tags', { do: 'create', input: { ...post(POSTS), tags: ['日本', '..', 'a/b'] } }],
  ['a new title', { do: 'update', post: 700, patch: { title: 'Another' } }],
  ['a change of tags', { do: 'update', post: 800, patch: { tags: ['Ink', 'a/b'] } }],
  ['a new slug', { do: 'update', post: 900, patch: { slug: 'moved' } }],
  ['an unpublish', { do: 'unpublish', post: 1_000 }],
  ['a deletion', { do: 'delete', post: 1_100 }],
  ['the deletion of the newest post', { do: 'delete newest', count: 1 }],
])(`%s touches at most ${FILES} files of a blog of ${POSTS} posts`, async (_what, step) => {
  const { filesWritten, filesRemoved } = await built(step);
  expect(filesWritten).toBeGreaterThan(0);
  expect(filesWritten + filesRemoved).toBeLessThanOrEqual(FILES);
});

/** The central property (in-step.test.ts), with builds of many batches and lists of hundreds of pages. */
it('the edge of a large blog equals what was written and a clean build, after any writes to old posts', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      for (const step of taken) await take(anywhere(step), { workshop, caller, blog, expected, build });
      await build();
      const edge = await read();
      expect(readersView(edge)).toEqual(expected.view());
      expect(differences(edge, await cleanBuild(workshop, blog))).toEqual([]);
    }),
    { numRuns: Number(process.env.PLATEN_PROPERTY_RUNS ?? 2), endOnFailure: true },
  );
});
