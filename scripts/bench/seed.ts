import { v7 as uuid } from 'uuid';
import { createServices, type Services } from '../../server/compose.ts';
import { readConfig } from '../../server/config.ts';
import type { Caller } from '../../server/services/credentials.ts';
import { insertAccount } from '../../server/store/accounts.ts';
import { inParallel } from '../publish/in-parallel.ts';
import { benchPost } from './bench-post.ts';

/** Posts that are written at once: as many as keep the Markdown threads and the database at work. */
const AT_ONCE = 16;

export interface SeededBlog {
  readonly id: string;
  readonly slug: string;
  /** How many posts it has, all of them published. */
  readonly size: number;
  /** The rebuild that brings them to the edge. */
  readonly rebuildId: string;
}

/**
 * Fills an empty data folder with an account, its key and a blog of each size, none of it pressed yet. The posts
 * name an image of their own, so that no cards are drawn of them.
 */
export async function seed(
  dataDir: string,
  sizes: readonly number[],
): Promise<{ key: string; blogs: SeededBlog[] }> {
  const services = await createServices(readConfig({ PLATEN_DATA_DIR: dataDir, LOG_LEVEL: 'error' }));
  const { caller, key } = await createAccount(services);
  const blogs: SeededBlog[] = [];
  for (const size of sizes) blogs.push(await createBlog(services, caller, size));
  await services.close();
  return { key, blogs };
}

async function createAccount({ db, clock, credentials }: Services): Promise<{ caller: Caller; key: string }> {
  const accountId = uuid();
  const account = { email: 'bench@example.org', name: 'Bench', tier: 'enterprise' } as const;
  await insertAccount(db, { ...account, id: accountId, createdAt: clock.now() });
  const request = { accountId, blogId: null, name: 'Bench', scopes: ['*'], expiresAt: null } as const;
  const { secret: key } = await credentials.issue(request);
  return { caller: await credentials.authenticate(key), key };
}

async function createBlog({ blogs, posts }: Services, caller: Caller, size: number): Promise<SeededBlog> {
  const slug = `blog-of-${size}`;
  const input = { slug, name: `A blog of ${size}`, description: 'Posts to measure with.' };
  const { blog, rebuildId } = await blogs.create(caller, input);
  const meta = { description: null, ogImage: 'https://example.org/preview.png' };
  const create = async (number: number) => {
    await posts.create(caller, blog, { ...benchPost(number), status: 'published', meta });
  };
  await inParallel([...Array(size).keys()], AT_ONCE, create, () => {});
  return { id: blog.id, slug, size, rebuildId };
}
