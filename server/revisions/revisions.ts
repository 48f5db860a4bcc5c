import type { Blog } from '../blogs/blog.ts';
import type { Db } from '../database/database.ts';
import type { UpdatedPost } from '../posts/post.ts';
import { findPost } from '../posts/post-writes.ts';
import type { Posts } from '../posts/posts.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Revision, RevisionSummary } from './revision.ts';
import * as store from './store.ts';

/**
 * Earlier states of a post: each change stores the state before it. Methods throw `not_found` for unknown slugs and
 * ids.
 */
export interface Revisions {
  list(blog: Blog, slug: string): Promise<RevisionSummary[]>;
  get(blog: Blog, slug: string, id: string): Promise<Revision>;
  /**
   * Restores title, content, tags, meta, translations, language, author, cover and canonical address. Slug, status and
   * place in lists stay. A restore is an ordinary update, so it stores a revision too.
   */
  restore(blog: Blog, slug: string, id: string): Promise<UpdatedPost>;
}

export function createRevisions({ db, posts }: { db: Db; posts: Posts }): Revisions {
  async function get(blog: Blog, slug: string, id: string): Promise<Revision> {
    const post = await findPost(db, blog.id, slug);
    const revision = await store.findRevision(db, post.id, id);
    if (!revision) throw new DomainError('not_found', `the post "${slug}" has no such revision`);
    return revision;
  }

  return {
    list: async (blog, slug) => store.listRevisions(db, (await findPost(db, blog.id, slug)).id),
    get,
    async restore(blog, slug, id) {
      const { contentMd: content, metaDescription, ogImage, ...revision } = await get(blog, slug, id);
      const { title, tags, translations, canonicalUrl, language, author, coverImage } = revision;
      const meta = { description: metaDescription, ogImage };
      const fields = { title, content, tags, meta, translations, canonicalUrl, language, author, coverImage };
      return posts.update(blog, slug, fields);
    },
  };
}
