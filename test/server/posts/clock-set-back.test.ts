import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Blog } from '../../../server/blogs/blog.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let blog: Blog;
beforeEach(async () => {
  workshop = await openWorkshop();
  blog = await workshop.newBlog('ink');
  await workshop.services.db.deleteFrom('rebuilds').execute();
});
afterEach(() => workshop.close());

const dueTimes = async () =>
  (await workshop.services.db.selectFrom('rebuilds').select('due_at').execute()).map((row) => row.due_at);

it('a post that was saved before the clock was set back is published at once, and keeps a later updated_at', async () => {
  const { posts, publication, db } = workshop.services;
  const meta = { description: null, ogImage: null };
  const draft = { title: 'Ink', content: 'x', tags: [], status: 'draft', meta } as const;
  await posts.create(workshop.caller, blog, draft);
  const before = await db.selectFrom('posts').select('updated_at').executeTakeFirstOrThrow();
  workshop.clock.skip(-1);
  await publication.publish(workshop.caller, blog, 'ink');
  const after = await db.selectFrom('posts').select('updated_at').executeTakeFirstOrThrow();
  expect(after.updated_at > before.updated_at).toBe(true);
  expect((await dueTimes()).every((due) => due < workshop.clock.now())).toBe(true);
  expect(await dueTimes()).toHaveLength(1);

  await db.deleteFrom('rebuilds').execute();
  await publication.unpublish(blog, 'ink');
  expect((await dueTimes()).every((due) => due < workshop.clock.now())).toBe(true);
  expect(await dueTimes()).toHaveLength(1);
});
