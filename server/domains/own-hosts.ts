import { findFormerSlugs } from '../addresses/former-slugs.ts';
import type { BlogUrl } from '../config/config.ts';
import type { Db } from '../database/database.ts';
import { findKnownHosts } from './store.ts';

/** Host names, without ports, at which the edge knows a blog: its present one, and those that redirect to it. */
export async function findOwnHosts(
  db: Db,
  { id, slug }: { readonly id: string; readonly slug: string },
  blogUrl: BlogUrl,
): Promise<readonly string[]> {
  const { hostname } = new URL(blogUrl({ slug, domain: null }));
  const slugs = [slug, ...(await findFormerSlugs(db, id))];
  return [...new Set([hostname, ...slugs.map(blogUrl.subdomainOf), ...(await findKnownHosts(db, id))])];
}
