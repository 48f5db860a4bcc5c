import { afterAll, beforeAll, expect, it } from 'vitest';
import { BLOG_LIST } from '../../../server/lists/placements.ts';
import { allSitemapChunks } from '../../../server/lists/sitemap-chunks.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

it('sitemap chunks are numbered correctly even if their first list pages have lost all posts', async () => {
  const { services, caller } = workshop;
  const blog = await workshop.newBlog('gaps');
  for (let n = 1; n <= 41; n++) {
    const post = { title: `${n}`, slug: `p-${n}`, content: 'x', tags: [], status: 'published' } as const;
    await services.posts.create(caller, blog, { ...post, meta: { description: null, ogImage: null } });
  }
  for (const n of [...Array(10).keys()].flatMap((tenth) => [tenth, tenth + 20])) {
    await services.posts.remove(blog, `p-${n + 1}`);
  }
  // List pages 2, 4 and 5 are left.
  const stretches = await Promise.all(
    [1, 2, 3, 4, 100].map((n) => allSitemapChunks(services.db, blog.id, BLOG_LIST, n)),
  );
  expect(stretches).toEqual([[2, 4, 5], [1, 2, 3], [1, 2], [1, 2], [1]]);
});
