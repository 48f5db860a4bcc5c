import { expect, it } from 'vitest';
import { hosts } from '../../../generator/pages/host.ts';
import { buildPages } from '../../../generator/pages/page-kinds.ts';
import { inUploadOrder } from '../../../generator/upload-order.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';

it('a host name has a file as long as it leads to the blog', async () => {
  const site = siteOf({ posts: publishedPosts(1) });
  const pages = await hosts.build(site, ['host:ink.example.com', 'host:www.given-up.example']);
  expect(pages.map(({ key }) => key)).toEqual(['host:ink.example.com']);
});

it('the current host comes before those that redirect to it', async () => {
  const site = { ...siteOf({ posts: [] }), allHosts: async () => ['old.example.com', 'ink.example.com'] };
  const built = await buildPages(site, await hosts.allKeys(site));
  expect(built.map(({ path, stage }) => [path, stage])).toEqual([
    ['/hosts/old.example.com', 'other-hosts'],
    ['/hosts/ink.example.com', 'headers'],
  ]);
  const groups = inUploadOrder(
    built,
    ({ stage }) => stage,
    () => false,
  );
  expect(groups.flat().map(({ path }) => path)).toEqual(['/hosts/ink.example.com', '/hosts/old.example.com']);
});
