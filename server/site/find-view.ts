import { INDEX_FILE } from '../../generator/addresses.ts';
import type { HtmlView } from '../../generator/page.ts';
import { rootKey } from '../../generator/pages/front.ts';
import { buildPages } from '../../generator/pages/page-kinds.ts';
import type { Db } from '../database/database.ts';
import { findMonths, findTags } from '../lists/list-pages.ts';
import { findEntries } from '../rebuilds/manifest.ts';
import { loadSite } from './load-site.ts';
import type { SiteSettings } from './site-settings.ts';

/** Tags or months that a view has at most, because the thread that answers requests makes it. */
const MAX_VIEWED_LISTS = 1_000;

/**
 * The current view of a blog's page in a layout, by the path at which it was last built (`tags/ink/`, or a post's
 * slug); the front page for the empty path. Null if there is no such page. The pages of tags and months have the first
 * of many.
 */
export async function findView(
  { db, ...settings }: SiteSettings & { readonly db: Db },
  blogId: string,
  { page, layout }: { readonly page: string; readonly layout: string },
): Promise<HtmlView | null> {
  const stored = await loadSite(db, blogId, settings);
  const path = decoded(page)
    .replace(/(?:^|\/)index\.html$/, '')
    .replace(/^\/+|\/+$/g, '');
  const paths = [path, `${path}/${INDEX_FILE}`];
  if (stored === null) return null;
  const site = {
    ...stored,
    blog: { ...stored.blog, layout },
    tags: () => findTags(db, blogId, MAX_VIEWED_LISTS),
    months: () => findMonths(db, blogId, MAX_VIEWED_LISTS),
  };
  const [entry] =
    path === '' ? [{ page: rootKey(site) }] : await findEntries(db, blogId, { pages: [], paths });
  if (entry === undefined) return null;
  const [shown] = await buildPages(site, [entry.page]);
  return shown?.body.kind === 'html' ? shown.body.view : null;
}

function decoded(page: string): string {
  try {
    return decodeURIComponent(page);
  } catch {
    return page;
  }
}
