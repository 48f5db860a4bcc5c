import { expect, it } from 'vitest';
import { hosts } from '../../../generator/pages/host.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';

it('a host name has a file as long as it leads to the blog', async () => {
  const site = siteOf({ posts: publishedPosts(1) });
  const pages = await hosts.build(site, ['host:ink.example.com', 'host:www.given-up.example']);
  expect(pages.map(({ key }) => key)).toEqual(['host:ink.example.com']);
});
