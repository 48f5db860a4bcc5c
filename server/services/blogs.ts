import { v7 as uuid } from 'uuid';
import type { Clock } from '../clock.ts';
import { DomainError } from '../domain/errors.ts';
import { assertMayCreateBlog } from '../domain/quota.ts';
import { isReservedBlogSlug } from '../domain/slug.ts';
import * as store from '../store/blogs.ts';
import { type Db, inTransaction } from '../store/database.ts';
import { enqueueChange } from '../store/rebuilds.ts';
import type { Caller } from './credentials.ts';

export interface NewBlog {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
}

export interface CreatedBlog {
  readonly blog: store.Blog;
  readonly rebuildId: string;
}

export interface Blogs {
  /** The caller's blogs, oldest first: the bound one alone where the credential is bound. */
  list(caller: Caller): Promise<store.Blog[]>;
  /**
   * Creates a blog. Throws `forbidden` where the tier has no room for one more or the credential is bound to
   * another blog, `bad_request` for a reserved slug, `conflict` for one that is taken.
   */
  create(caller: Caller, input: NewBlog, db?: Db): Promise<CreatedBlog>;
  /**
   * The blog that a request acts on: the one that it names, else the one that its credential is bound to, else the
   * account's oldest. Throws `forbidden` where the credential is bound to another, `not_found` where there is none.
   */
  select(caller: Caller, blogId: string | undefined): Promise<store.Blog>;
}

export interface BlogsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly upgradeUrl: string;
  /** Called when a write has queued a rebuild. */
  readonly onChange: () => void;
}

export function createBlogs({ db, clock, upgradeUrl, onChange }: BlogsDependencies): Blogs {
  async function find(caller: Caller, blogId: string | null): Promise<store.Blog | null> {
    const blog =
      blogId === null ? await store.findFirstBlog(db, caller.accountId) : await store.findBlog(db, blogId);
    return blog?.accountId === caller.accountId ? blog : null;
  }

  return {
    async list(caller) {
      if (caller.boundBlogId === null) return store.listBlogs(db, caller.accountId);
      const blog = await find(caller, caller.boundBlogId);
      return blog ? [blog] : [];
    },

    async create(caller, input, outer = db) {
      if (caller.boundBlogId !== null) {
        throw new DomainError('forbidden', 'this API key is bound to one blog and cannot create another');
      }
      if (isReservedBlogSlug(input.slug)) {
        throw new DomainError('bad_request', `slug: "${input.slug}" is reserved`);
      }
      const now = clock.now();
      const blog = {
        ...input,
        id: uuid(),
        accountId: caller.accountId,
        customDomain: null,
        createdAt: now,
        updatedAt: now,
      };
      const rebuildId = await inTransaction(outer, async (tx) => {
        if (await store.isBlogSlugTaken(tx, blog.slug)) {
          throw new DomainError('conflict', `the blog slug "${blog.slug}" is taken`);
        }
        assertMayCreateBlog(caller.tier, await store.countBlogs(tx, caller.accountId), upgradeUrl);
        await store.insertBlog(tx, blog);
        return enqueueChange(tx, blog.id, { scope: 'blog' }, now);
      });
      onChange();
      return { blog, rebuildId };
    },

    async select(caller, blogId) {
      if (caller.boundBlogId !== null && blogId !== undefined && blogId !== caller.boundBlogId) {
        throw new DomainError('forbidden', 'this API key is bound to another blog than X-Blog-Id names');
      }
      const blog = await find(caller, blogId ?? caller.boundBlogId);
      if (!blog) {
        const hint = blogId === undefined ? 'the account has no blog yet: create one' : 'blog not found';
        throw new DomainError('not_found', hint);
      }
      return blog;
    },
  };
}
