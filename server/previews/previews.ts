import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { postUrl } from '../../generator/addresses.ts';
import { postView } from '../../generator/pages/post.ts';
import type { PreviewPool } from '../../generator/previews/pool.ts';
import type { SiteBlog } from '../../generator/site/blog.ts';
import type { SitePost } from '../../generator/site/post.ts';
import { joined } from '../../generator/workers/memoised.ts';
import { hashSecret } from '../access/credential.ts';
import { tagsOf } from '../addresses/slug.ts';
import { statedLanguage, translationLinks } from '../addresses/translations.ts';
import type { Blog } from '../blogs/blog.ts';
import { type PageFeatures, siteBlog } from '../blogs/site-blog.ts';
import { findAppearance, findBlog } from '../blogs/store.ts';
import type { BlogUrl } from '../config/config.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { logPostAction } from '../journal/audit-log.ts';
import { recordResult } from '../journal/idempotency.ts';
import { modifiedAt } from '../lists/modified-at.ts';
import { homeListOf } from '../lists/placements.ts';
import { resolvePictures } from '../media/pictures.ts';
import { resolveHtml } from '../media/references.ts';
import type { Post } from '../posts/post.ts';
import { findPost, findPostState } from '../posts/post-writes.ts';
import { addMilliseconds, type Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import { translateRefusals } from '../runtime/refusals.ts';
import { assertNotTakenDown } from '../take-downs/take-down.ts';
import { findPreviewed, insertPreview } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Size of the page cache, in characters of HTML and keys. */
const CACHE_MAX_CHARACTERS = 16 * 1024 * 1024;

/** Preview links: until one expires, it shows a post that need not be published to everyone who has the link. */
export interface Previews {
  create(blog: Blog, slug: string, days: number): Promise<{ url: string; expiresAt: string }>;
  /**
   * Renders the page as a build would now, with a preview notice and links that point to the blog. Throws `not_found`
   * for an unknown or expired link, and `rate_limit_exceeded` while too many renders of the blog's account are
   * queued.
   */
  render(token: string): Promise<string>;
}

export interface PreviewsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** URL of uploaded images, without a trailing slash. */
  readonly mediaUrl: string;
  readonly blogUrl: BlogUrl;
  readonly pool: Pick<PreviewPool, 'render'>;
}

export function createPreviews({
  db,
  clock,
  publicUrl,
  mediaUrl,
  blogUrl,
  pool,
}: PreviewsDependencies): Previews {
  /** Rendered pages, by everything that they depend on. */
  const cache = new LRUCache<string, string>({
    maxSize: CACHE_MAX_CHARACTERS,
    sizeCalculation: (html, key) => html.length + key.length,
  });
  /** Concurrent requests for the same page share one render. */
  const renderOnce = joined(async (key: string, blog: ShownBlog, slug: string, expiresAt: string) => {
    const html = await render(blog, slug, expiresAt);
    cache.set(key, html);
    return html;
  });

  return {
    async create(blog, slug, days) {
      const post = await findPost(db, blog.id, slug);
      assertNotTakenDown('blog', blog);
      assertNotTakenDown('post', post);
      const token = randomBytes(24).toString('base64url');
      const expiresAt = addMilliseconds(clock.now(), days * DAY_MS);
      await inTransaction(db, async (tx) => {
        await insertPreview(tx, { hash: hashSecret(token), postId: post.id, expiresAt });
        await recordResult(tx, { postId: post.id, expiresAt });
        await logPostAction(tx, blog, post);
      });
      return { url: `${publicUrl}/preview/${token}`, expiresAt };
    },

    async render(token) {
      const { blog, expiresAt, slug } = await findPreview(token);
      const state = await findPostState(db, blog.id, slug);
      const urls = { url: blogUrl(blog), mediaUrl };
      const shown = siteBlog(blog, urls, await findAppearance(db, blog.id), PREVIEW_FEATURES);
      // All that the page shows, and not when the blog was changed: its icon is made later.
      const key = createHash('sha256')
        .update(JSON.stringify([state, shown, expiresAt]))
        .digest('base64');
      return cache.get(key) ?? renderOnce(key, { shown, accountId: blog.accountId }, slug, expiresAt);
    },
  };

  async function findPreview(token: string) {
    const found = await findPreviewed(db, hashSecret(token), clock.now());
    const blog = found && (await findBlog(db, found.blogId));
    if (!found || !blog) throw new DomainError('not_found', 'this preview does not exist or has expired');
    return { ...found, blog };
  }

  async function render({ shown, accountId }: ShownBlog, slug: string, expiresAt: string): Promise<string> {
    const post = await findPost(db, shown.id, slug);
    const view = postView(shown, sitePost(post, mediaUrl));
    const previewLink = { url: postUrl(shown.url, slug), expiresAt };
    return translateRefusals('the post', () => pool.render(view, { owner: accountId }, { previewLink }));
  }
}

interface ShownBlog {
  readonly shown: SiteBlog;
  readonly accountId: string;
}

/** Owner HTML and layouts may run scripts, and a preview is not on the blog's host. */
const PREVIEW_FEATURES: PageFeatures = {
  badge: false,
  indexable: false,
  llmsTxt: false,
  customCss: true,
  adCode: false,
  headerHtml: false,
  footerHtml: false,
  layout: false,
};

/** The post as pages would show it if it were published. */
function sitePost(post: Post, mediaUrl: string): SitePost {
  const publishedAt = post.publishedAt ?? post.scheduledAt ?? post.updatedAt;
  return {
    ...post,
    homeList: homeListOf(post),
    ...resolvePictures(post, mediaUrl),
    description: post.metaDescription,
    language: statedLanguage(post),
    tags: tagsOf(post.tags),
    translations: translationLinks(post.translations),
    pageNumber: 0,
    html: resolveHtml(post.contentHtml, mediaUrl),
    bytes: post.contentHtml.length,
    publishedAt,
    updatedAt: modifiedAt({ ...post, publishedAt }),
  };
}
