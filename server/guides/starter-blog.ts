import { findAccountByEmail } from '../accounts/store.ts';
import { findOldestPublicBlog } from '../blogs/store.ts';
import type { BlogUrl } from '../config/config.ts';
import type { Db } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import { addMilliseconds } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/** However often the front page is requested, the database is asked this often. */
const FRESH_MS = 60_000;

export interface StarterBlogOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly blogUrl: BlogUrl;
  readonly ownerEmail: string;
}

/**
 * Returns a function that resolves to the address of the blog that the front page of the server links to: the oldest
 * one of the owner's account that is not taken down, never one of another account. Null if there is none, or if the
 * database does not answer. Up to a minute old.
 */
export function createStarterBlog(options: StarterBlogOptions): () => Promise<string | null> {
  const { clock, log } = options;
  let latest: { readonly until: string; readonly url: Promise<string | null> } | null = null;
  return () => {
    const now = clock.now();
    if (latest === null || latest.until <= now) {
      const url = findStarterBlogUrl(options).catch((error: unknown) => {
        log.error({ err: error }, 'cannot find the starter blog');
        return null;
      });
      latest = { until: addMilliseconds(now, FRESH_MS), url };
    }
    return latest.url;
  };
}

async function findStarterBlogUrl({ db, blogUrl, ownerEmail }: StarterBlogOptions): Promise<string | null> {
  const owner = await findAccountByEmail(db, ownerEmail);
  const blog = owner && (await findOldestPublicBlog(db, owner.id));
  return blog && blogUrl(blog);
}
