import { findBlogBySlug } from '../blogs/store.ts';
import { blogHostname, type Config } from '../config/config.ts';
import type { Db } from '../database/database.ts';
import { claimRootHostFor } from '../domains/root-host.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

export interface RootBlogOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly config: Pick<Config, 'rootBlog' | 'blogHost'>;
}

/**
 * Makes the blog host itself point to the blog that `PLATEN_BLOG` names, and to no other that it may have named before.
 * Warns if there is no such blog: it gets the host once it is created.
 */
export async function assignRootHost({ db, clock, log, config }: RootBlogOptions): Promise<void> {
  const { rootBlog } = config;
  if (rootBlog === null) return;
  const hostname = blogHostname(config);
  const blog = await findBlogBySlug(db, rootBlog);
  if (blog === null) {
    log.warn(
      `PLATEN_BLOG: there is no blog "${rootBlog}" yet, so nothing is at ${hostname}: create it, or name another`,
    );
    return;
  }
  await db.transaction().execute((tx) => claimRootHostFor(config)(tx, blog, clock.now()));
}
