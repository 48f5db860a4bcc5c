import { randomBytes } from 'node:crypto';
import { readingMinutes } from '../../generator/markdown/words.ts';
import { memoised } from '../../generator/memoised.ts';
import type { RenderView } from '../../generator/render/templates.ts';
import { type Clock, later } from '../clock.ts';
import type { BlogUrl } from '../config.ts';
import { hashOf } from '../domain/credential.ts';
import { DomainError } from '../domain/errors.ts';
import { tagsOf } from '../domain/slug.ts';
import { linksTo } from '../domain/translations.ts';
import { type Blog, findBlog, findLook } from '../store/blogs.ts';
import { type Db, inTransaction } from '../store/database.ts';
import { findPreviewed, insertPreview } from '../store/previews.ts';
import { record } from './idempotency.ts';
import { findPost } from './post-writes.ts';
import { ledTo } from './preview-links.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Links under which a post can be read before it is published, by whoever has them, for some days. */
export interface Previews {
  create(blog: Blog, slug: string, days: number): Promise<{ url: string; expiresAt: string }>;
  /** The page as it would be pressed now, with links that lead to the blog. Throws `not_found` for a link that is unknown or has expired. */
  render(token: string): Promise<string>;
}

export interface PreviewsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly blogUrl: BlogUrl;
  /** Loads what renders pages: only when a preview is asked for. */
  readonly loadTemplates: () => Promise<RenderView>;
}

export function createPreviews({
  db,
  clock,
  publicUrl,
  blogUrl,
  loadTemplates,
}: PreviewsDependencies): Previews {
  const templates = memoised(loadTemplates);

  return {
    async create(blog, slug, days) {
      const post = await findPost(db, blog.id, slug);
      const token = randomBytes(24).toString('base64url');
      const expiresAt = later(clock.now(), days * DAY_MS);
      await inTransaction(db, async (tx) => {
        await insertPreview(tx, { hash: hashOf(token), postId: post.id, expiresAt });
        await record(tx, { postId: post.id, expiresAt });
      });
      return { url: `${publicUrl}/preview/${token}`, expiresAt };
    },

    async render(token) {
      const found = await findPreviewed(db, hashOf(token), clock.now());
      const blog = found && (await findBlog(db, found.blogId));
      if (!found || !blog) throw new DomainError('not_found', 'this preview does not exist, or has expired');
      const post = await findPost(db, blog.id, found.slug);
      const { settings, themeConfig } = await findLook(db, blog.id);
      const renderView = await templates();
      const url = blogUrl(blog);
      const html = renderView({
        layout: 'post',
        blog: {
          ...blog,
          url,
          settings,
          customCss: themeConfig.customCss ?? '',
          // What the owner has written may run scripts, and this is not the blog's host.
          ownerHtml: { header: '', footer: '', ad: '' },
          layout: '',
          badge: false,
          indexable: false,
          llmsTxt: false,
        },
        post: {
          ...post,
          description: post.metaDescription,
          tags: tagsOf(post.tags),
          translations: linksTo(post.translations),
          run: 0,
          html: post.contentHtml,
          readingMinutes: readingMinutes(post.wordCount),
          bytes: post.contentHtml.length,
          publishedAt: post.publishedAt ?? post.scheduledAt ?? post.updatedAt,
        },
        ogImage: post.ogImage ?? '',
        newer: null,
        older: null,
      });
      return ledTo(new URL(`${post.slug}/`, url).href, html);
    },
  };
}
