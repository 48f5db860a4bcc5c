import { fileOf, postAddress, postSlugOf } from '../../generator/addresses.ts';
import { findAppearance } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import { findPublishedSlugs, findRedirectTargets } from '../published/published-posts.ts';

/** What readers find at a file of a blog that is no redirect of its owner. */
export type AddressUse = 'post' | 'former slug' | 'list';

/** What readers find at these files of posts and of the list, by path. One at which they find neither has no entry. */
export async function findAddressUses(
  db: Db,
  blogId: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, AddressUse>> {
  const slugs = [...new Set(paths.flatMap((path) => postSlugOf(path) ?? []))];
  const posts = new Set(await findPublishedSlugs(db, blogId, slugs));
  const former = new Set((await findRedirectTargets(db, blogId, slugs)).map(({ from }) => from));
  const { settings } = await findAppearance(db, blogId);
  const list = settings.frontPage && fileOf(postAddress(settings.frontPage.list));
  return new Map(
    paths.flatMap((path): [string, AddressUse][] => {
      const slug = postSlugOf(path);
      if (path === list) return [[path, 'list']];
      if (slug !== null && posts.has(slug)) return [[path, 'post']];
      return slug !== null && former.has(slug) ? [[path, 'former slug']] : [];
    }),
  );
}
