import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../server/access/caller.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import type { Services } from '../../../server/compose.ts';
import { findPlacement } from '../../../server/lists/placements.ts';
import { claimBlog } from '../../../server/rebuilds/claims.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(() => workshop.close());

const post = {
  title: 'Post',
  content: 'x',
  slug: 'post',
  tags: [],
  status: 'published',
  meta: { description: null, ogImage: null },
} as const;

const any = { whose: 'all', size: 'small', exceptBlogs: [], exceptAccounts: [] } as const;

type Act = (services: Services, caller: Caller, blog: Blog) => Promise<unknown>;

describe('the pages of a suspended account', () => {
  it.each<[string, Act, boolean]>([
    [
      'are not rebuilt after a post was changed',
      ({ posts }, _, blog) => posts.update(blog, 'post', { title: 'New' }),
      false,
    ],
    ['are rebuilt after a post was deleted', ({ posts }, _, blog) => posts.remove(blog, 'post'), true],
    [
      'are rebuilt after a post was unpublished',
      ({ publication }, _, blog) => publication.unpublish(blog, 'post'),
      true,
    ],
    [
      'are rebuilt after a published post was scheduled',
      ({ publication }, caller, blog) =>
        publication.schedule(caller, blog, 'post', '2099-01-01T00:00:00.000Z'),
      true,
    ],
  ])('the pages of a suspended account %s', async (_name, act, isRebuilt) => {
    const { services, caller, clock } = workshop;
    const blog = await workshop.newBlog('suspended');
    await services.posts.create(caller, blog, post);
    await act(services, caller, blog);
    await services.accounts.suspend(caller.accountId);
    const claimed = await claimBlog(services.db, clock.now(), { holder: 'h', length: 1_000 }, any);
    expect(claimed !== null).toBe(isRebuilt);
  });
});

it('a post that is published again is at the end of its lists', async () => {
  const { services, caller } = workshop;
  const blog = await workshop.newBlog('again');
  const create = (slug: string) => services.posts.create(caller, blog, { ...post, slug, tags: ['Rust'] });
  const { id } = await create('oldest');
  for (let n = 2; n <= 10; n += 1) await create(`post-${n}`);
  const place = () => findPlacement(services.db, id);
  expect(await place()).toMatchObject({ pageNumber: 1 });
  await services.publication.unpublish(blog, 'oldest');
  await create('newest');
  await create('second-run');
  await services.publication.publish(caller, blog, 'oldest');
  expect(await place()).toMatchObject({
    pageNumber: 2,
    lists: expect.arrayContaining([{ list: 'rust', pageNumber: 2 }]),
  });
});
