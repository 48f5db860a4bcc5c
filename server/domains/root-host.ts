import { blogHostname, type Config } from '../config/config.ts';
import type { Db } from '../database/database.ts';
import { assignHost } from './store.ts';

/** Makes the blog host itself point to a blog, if the blog is the one that `PLATEN_BLOG` names. */
export type ClaimRootHost = (
  tx: Db,
  blog: { readonly id: string; readonly slug: string },
  now: string,
) => Promise<void>;

export const claimRootHostFor =
  (config: Pick<Config, 'rootBlog' | 'blogHost'>): ClaimRootHost =>
  async (tx, { id: blogId, slug }, now) => {
    if (slug === config.rootBlog) await assignHost(tx, { blogId, hostname: blogHostname(config) }, now);
  };
