import { expect, test } from 'vitest';
import { redirects } from '../../../generator/pages/redirect.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';

const site = siteOf({
  posts: publishedPosts(1, () => ({ slug: 'now' })),
  redirects: { first: 'now', second: 'now', orphan: 'a-draft' },
});

test('every old address of a published post and of its Markdown redirects straight to the current one', async () => {
  const pages = await redirects.build(site, await redirects.allKeys(site));
  const leading = (slug: string) => [
    {
      key: `redirect:${slug}`,
      path: `${slug}/index.html`,
      body: {
        kind: 'html',
        view: { layout: 'redirect', blog: site.blog, to: 'https://ink.example.com/now/' },
      },
    },
    {
      key: `redirect:${slug}.md`,
      path: `${slug}.md`,
      body: { kind: 'text', text: 'This post has moved to <https://ink.example.com/now.md>.\n' },
    },
  ];
  expect(pages).toEqual([...leading('first'), ...leading('second')]);
});

test('an old address of an unpublished or missing post does not redirect', async () => {
  expect(await redirects.build(site, ['redirect:orphan', 'redirect:never', 'redirect:orphan.md'])).toEqual(
    [],
  );
});

test('a change to a post affects all its old addresses', async () => {
  const place = {
    postId: 'x',
    slug: 'now',
    pageNumber: 1,
    publishedAt: '2026-01-01T00:00:00.000Z',
    lists: [],
    redirects: ['first', 'second'],
    homeList: null,
    relatedBy: [],
    series: null,
  };
  expect(await redirects.affectedKeys(site, place)).toEqual([
    'redirect:first',
    'redirect:first.md',
    'redirect:second',
    'redirect:second.md',
  ]);
});
