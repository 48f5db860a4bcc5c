import { v7 as uuid } from 'uuid';
import type { Clock } from '../clock.ts';
import type { Tiers } from '../domain/tier.ts';
import { hasAccounts, insertAccount } from '../store/accounts.ts';
import type { Db } from '../store/database.ts';
import type { Blogs } from './blogs.ts';
import type { Caller, Credentials } from './credentials.ts';
import type { Posts } from './posts.ts';

export const STARTER_BLOG_SLUG = 'starter';

export interface FirstStart {
  readonly db: Db;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly blogs: Blogs;
  readonly posts: Posts;
  readonly tiers: Tiers;
  readonly ownerEmail: string;
  /** The owner's key, where the operator has chosen one. */
  readonly apiKey: string | undefined;
  /** Markdown of the post that greets the owner. */
  readonly welcome: string;
}

/**
 * Gives an empty database an owner, a key and a blog with one post, so that there is a page to open and something
 * to write with. Returns the secret of a key that was made for it; null where nothing was to do or the operator
 * chose the secret.
 */
export async function prepareFirstStart(options: FirstStart): Promise<string | null> {
  const { db, clock, credentials, blogs, posts, apiKey } = options;
  if (await hasAccounts(db)) return null;
  const accountId = uuid();
  const { secret, id: credentialId } = await db.transaction().execute(async (tx) => {
    await insertAccount(tx, {
      id: accountId,
      email: options.ownerEmail,
      name: 'Owner',
      tier: 'enterprise',
      createdAt: clock.now(),
    });
    const key = {
      accountId,
      blogId: null,
      name: 'Default',
      scopes: ['*'],
      expiresAt: null,
      secret: apiKey,
    } as const;
    const issued = await credentials.issue(key, tx);
    await blogs.create(ownerOf(issued.id), { slug: STARTER_BLOG_SLUG, name: 'My blog', description: '' }, tx);
    return issued;
  });
  const owner = ownerOf(credentialId);
  await posts.create(owner, await blogs.select(owner, undefined), {
    title: 'Welcome to Platen',
    content: options.welcome,
    tags: [],
    status: 'published',
    meta: { description: null, ogImage: null },
  });
  return apiKey === undefined ? secret : null;

  function ownerOf(credentialId: string): Caller {
    return { credentialId, accountId, tier: options.tiers.enterprise, scopes: ['*'], boundBlogId: null };
  }
}
