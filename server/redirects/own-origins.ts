import type { Blog } from '../blogs/blog.ts';
import type { BlogUrl } from '../config/config.ts';
import type { Db } from '../database/database.ts';
import { findOwnHosts } from '../domains/own-hosts.ts';

/**
 * The origins at which readers find a blog, for targets of redirects: of every host that it has or had, and of a custom
 * domain whose DNS does not point to it yet; with http and https, on the usual port and that of the blogs' host.
 */
export async function findOwnOrigins(
  db: Db,
  blog: Pick<Blog, 'id' | 'slug' | 'customDomain'>,
  blogUrl: BlogUrl,
): Promise<ReadonlySet<string>> {
  const hostnames = [...(await findOwnHosts(db, blog, blogUrl)), blog.customDomain ?? []].flat();
  const { port } = new URL(blogUrl({ ...blog, domain: null }));
  const ports = port === '' ? [''] : ['', `:${port}`];
  return new Set(
    hostnames.flatMap((hostname) =>
      ports.flatMap((suffix) => [`http://${hostname}${suffix}`, `https://${hostname}${suffix}`]),
    ),
  );
}
