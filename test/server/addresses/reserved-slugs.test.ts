import { expect, it } from 'vitest';
import { allPageKeys, buildPages } from '../../../generator/pages/page-kinds.ts';
import { SEARCH_INDEX_FOLDER } from '../../../generator/search/search-index.ts';
import { isReservedPostSlug, postSlugPattern } from '../../../server/addresses/slug.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';

const site = siteOf({ posts: publishedPosts(32, () => ({ tags: [{ label: 'Ink', slug: 'ink' }] })) });

it('no post can have the address of a page that every blog has', async () => {
  const pages = await buildPages(site, await allPageKeys(site));
  const ownPages = pages.filter(({ key }) => !/^(?:post|source|redirect):/.test(key));
  const taken = new Set(
    [...ownPages.map(({ path }) => path), SEARCH_INDEX_FOLDER].map((path) => path.split('/')[0] ?? ''),
  );
  expect(taken).toContain('tags');
  const free = [...taken].filter((name) => postSlugPattern.test(name) && !isReservedPostSlug(name));
  expect(free, 'a constant for each in generator/addresses.ts').toEqual([]);
});
