import { v7 as uuid } from 'uuid';
import type { Caller } from '../access/caller.ts';
import { hashSecret, secretPrefix } from '../access/credential.ts';
import { findOwnerWithoutPosts, hasAccounts, insertAccount } from '../accounts/store.ts';
import type { Blogs } from '../blogs/blogs.ts';
import { createBlog } from '../blogs/create-blog.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { isUnusedCredential } from '../credentials/store.ts';
import type { Db } from '../database/database.ts';
import type { Posts } from '../posts/posts.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Tiers } from '../tiers/tier.ts';
import type { FirstKeyFile } from './first-key.ts';

/** Slug of the first blog: that of the blog at the blog host, if there is to be one. */
export const starterSlug = (rootBlog: string | null): string => rootBlog ?? 'starter';

export interface FirstStartOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly blogs: Blogs;
  readonly posts: Posts;
  readonly tiers: Tiers;
  readonly upgradeUrl: string;
  readonly ownerEmail: string;
  readonly rootBlog: string | null;
  /** The owner's key, if the operator chose one. */
  readonly apiKey: string | undefined;
  /** Markdown of the welcome post. */
  readonly welcomeMarkdown: string;
  /** Holds the secret of a generated key. */
  readonly keyFile: FirstKeyFile;
}

/**
 * Creates an owner, a key and a blog with a welcome post in an empty database. In any other database it does nothing,
 * except to write the welcome post if an earlier first start was killed before it did.
 */
export async function prepareFirstStart(options: FirstStartOptions): Promise<void> {
  const { db, blogs, posts, tiers } = options;
  if (!(await hasAccounts(db))) await createOwner(options);
  const accountId = await findOwnerWithoutPosts(db, starterSlug(options.rootBlog));
  if (accountId === null) return;
  const owner = ownerCaller(accountId, tiers);
  await posts.create(owner, await blogs.select(owner, undefined), {
    title: 'Welcome to Platen',
    content: options.welcomeMarkdown,
    tags: [],
    status: 'published',
    meta: { description: null, ogImage: null },
  });
}

async function createOwner(options: FirstStartOptions): Promise<void> {
  const { db, clock, credentials, apiKey, tiers, ownerEmail, upgradeUrl } = options;
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
    const starter = { slug: starterSlug(options.rootBlog), name: 'My blog', description: '' };
    await createBlog(tx, ownerCaller(accountId, tiers), starter, createdAt, upgradeUrl);
    // Written before the commit: a kill after it must not leave an owner whose key is lost.
    if (apiKey === undefined) options.keyFile.write(secret);
  });
}

const ownerCaller = (accountId: string, tiers: Tiers): Caller => ({
  credentialId: null,
  accountId,
  tier: tiers.enterprise,
  scopes: ['*'],
  boundBlogId: null,
});

/**
 * The secret of the owner's first key, if the key file still holds it and the key was never used; null otherwise.
 * Removes the file of a key that was used, was revoked or was never committed.
 */
export async function findFirstKey(db: Db, keyFile: FirstKeyFile): Promise<string | null> {
  const secret = keyFile.read();
  if (secret === null) return null;
  if (await isUnusedCredential(db, { prefix: secretPrefix(secret), hash: hashSecret(secret) })) return secret;
  keyFile.remove();
  return null;
}
