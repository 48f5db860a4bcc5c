import { v7 as uuid } from 'uuid';
import type { Caller } from '../access/caller.ts';
import { hashOf, prefixOf } from '../access/credential.ts';
import { findUngreetedOwner, hasAccounts, insertAccount } from '../accounts/store.ts';
import type { Blogs } from '../blogs/blogs.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { isUnusedCredential } from '../credentials/store.ts';
import type { Db } from '../database/database.ts';
import type { Posts } from '../posts/posts.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Tiers } from '../tiers/tier.ts';
import type { FirstKeyFile } from './first-key.ts';

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
  /** Where the secret of a key that is made here is kept. */
  readonly keyFile: FirstKeyFile;
}

/**
 * Gives an empty database an owner, a key and a blog with one post, so that there is a page to open and something
 * to write with. Does nothing to any other database, but to write the post where a kill came before it.
 */
export async function prepareFirstStart(options: FirstStart): Promise<void> {
  const { db, blogs, posts, tiers } = options;
  if (!(await hasAccounts(db))) await createOwner(options);
  const accountId = await findUngreetedOwner(db, STARTER_BLOG_SLUG);
  if (accountId === null) return;
  const owner = callerFor(accountId, tiers);
  await posts.create(owner, await blogs.select(owner, undefined), {
    title: 'Welcome to Platen',
    content: options.welcome,
    tags: [],
    status: 'published',
    meta: { description: null, ogImage: null },
  });
}

async function createOwner(options: FirstStart): Promise<void> {
  const { db, clock, credentials, blogs, apiKey, tiers, ownerEmail } = options;
  const accountId = uuid();
  await db.transaction().execute(async (tx) => {
    const createdAt = clock.now();
    await insertAccount(tx, {
      id: accountId,
      email: ownerEmail,
      name: 'Owner',
      tier: 'enterprise',
      createdAt,
    });
    const { secret } = await credentials.issue(
      { accountId, blogId: null, name: 'Default', scopes: ['*'], expiresAt: null, secret: apiKey },
      tx,
    );
    const starter = { slug: STARTER_BLOG_SLUG, name: 'My blog', description: '' };
    await blogs.create(callerFor(accountId, tiers), starter, tx);
    // A kill behind the commit must not leave an owner whose key nobody knows.
    if (apiKey === undefined) options.keyFile.write(secret);
  });
}

const callerFor = (accountId: string, tiers: Tiers): Caller => ({
  credentialId: null,
  accountId,
  tier: tiers.enterprise,
  scopes: ['*'],
  boundBlogId: null,
});

/**
 * The secret of the owner's first key, if it is kept because nobody has been shown or used it yet; null otherwise. The
 * file of a key that has been used, revoked or never committed is removed.
 */
export async function findFirstKey(db: Db, keyFile: FirstKeyFile): Promise<string | null> {
  const secret = keyFile.read();
  if (secret === null) return null;
  if (await isUnusedCredential(db, { prefix: prefixOf(secret), hash: hashOf(secret) })) return secret;
  keyFile.remove();
  return null;
}
