import type { HtmlView } from '../../generator/page.ts';
import { FRONT_PAGE_KEY } from '../../generator/pages/lists/list.ts';
import { buildPages } from '../../generator/pages/page-kinds.ts';
import type { Db } from '../database/database.ts';
import { findEntries } from '../rebuilds/manifest.ts';
import { loadSite } from './load-site.ts';
import type { SiteSettings } from './site-settings.ts';

/**
 * The current view of a blog's page, by the path at which it was last built (`tags/ink/`, or a post's slug); the front
 * page for the empty path. Null if there is no such page.
 */
export async function findView(
  { db, ...settings }: SiteSettings & { readonly db: Db },
  blogId: string,
  page: string,
): Promise<HtmlView | null> {
  const site = await loadSite(db, blogId, settings);
  const path = decoded(page)
    .replace(/(?:^|\/)index\.html$/, '')
    .replace(/^\/+|\/+$/g, '');
  const paths = [path, `${path}/index.html`];
  const key = path === '' ? FRONT_PAGE_KEY : (await findEntries(db, blogId, { pages: [], paths }))[0]?.page;
  if (site === null || key === undefined) return null;
  const [shown] = await buildPages(site, [key]);
  return shown?.body.kind === 'html' ? shown.body.view : null;
}

function decoded(page: string): string {
  try {
    return decodeURIComponent(page);
  } catch {
    return page;
  }
}
