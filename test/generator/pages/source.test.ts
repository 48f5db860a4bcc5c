import { expect, test } from 'vitest';
import { sources } from '../../../generator/pages/source.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';

const posts = publishedPosts(2, (n) => ({ source: `# ${n}\n`, slug: `slug-${n}` }));
const site = siteOf({ posts, blog: { indexable: false, llmsTxt: false } });

test('every post has its source at its address with .md, on every plan', async () => {
  const pages = await sources.build(site, await sources.allKeys(site));
  expect(pages.map(({ path }) => path)).toEqual(['slug-1.md', 'slug-2.md']);
  expect(pages[0]).toMatchObject({
    key: `source:${posts[0]?.id}`,
    body: { kind: 'source', blog: site.blog, post: { title: 'Post 1', source: '# 1\n' } },
  });
});

test('an unpublished post has no source file', async () => {
  expect(await sources.build(site, ['source:nobody'])).toEqual([]);
});

test('a change to a post affects its own source only', async () => {
  const place = {
    postId: 'p',
    slug: 's',
    pageNumber: 1,
    publishedAt: '2026-01-01T00:00:00.000Z',
    lists: [{ list: 'rust', pageNumber: 1 }],
    redirects: ['old'],
    homeList: null,
    relatedBy: [],
    series: null,
  };
  expect(await sources.affectedKeys(site, place)).toEqual(['source:p']);
});
