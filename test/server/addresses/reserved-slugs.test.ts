import { expect, it } from 'vitest';
import { isOwnPath } from '../../../generator/addresses.ts';
import { allPageKeys, buildPages } from '../../../generator/pages/page-kinds.ts';
import { SEARCH_INDEX_FOLDER } from '../../../generator/search/search-index.ts';
import { isReservedPostSlug, postSlugPattern } from '../../../server/addresses/slug.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';

const site = siteOf({ posts: publishedPosts(32, () => ({ tags: [{ label: 'Ink', slug: 'ink' }] })) });

/** The paths of all files in the folder of a blog, posts apart. */
async function ownPaths(): Promise<string[]> {
  const pages = await buildPages(site, await allPageKeys(site));
  const own = pages.filter(({ key }) => !/^(?:post|source|redirect|host):/.test(key));
  return [...own.map(({ path }) => path), SEARCH_INDEX_FOLDER];
}

it('no redirect can have the address of a page that every blog has', async () => {
  const paths = await ownPaths();
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !isOwnPath(path))).toEqual([]);
});

it('no post can have the address of a page that every blog has', async () => {
  const taken = new Set((await ownPaths()).map((path) => path.split('/')[0] ?? ''));
  expect(taken).toContain('tags');
  const free = [...taken].filter((name) => postSlugPattern.test(name) && !isReservedPostSlug(name));
  expect(free, 'a constant for each in generator/addresses.ts').toEqual([]);
});
