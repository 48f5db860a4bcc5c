import { setImmediate } from 'node:timers/promises';
import { type SiteBlog, shownIcon } from '../../generator/site/blog.ts';
import type { ListRef } from '../../generator/site/list.ts';
import type { SitePost } from '../../generator/site/post.ts';
import type { Site } from '../../generator/site/site.ts';
import { memoised } from '../../generator/workers/memoised.ts';
import { findAccount } from '../accounts/store.ts';
import { allRedirects } from '../addresses/redirects.ts';
import type { Blog } from '../blogs/blog.ts';
import { siteBlog } from '../blogs/site-blog.ts';
import { findAppearance, findBlog } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import { findOwnHosts } from '../domains/own-hosts.ts';
import * as lists from '../lists/list-pages.ts';
import { findListSizes } from '../lists/list-sizes.ts';
import { BLOG_LIST } from '../lists/placements.ts';
import { allSeries } from '../lists/series.ts';
import { allSitemapChunks } from '../lists/sitemap-chunks.ts';
import { findFavicon } from '../media/blog-pictures/blog-pictures.ts';
import type { PostBody } from '../published/post-bodies.ts';
import * as published from '../published/published-posts.ts';
import { allPaths, findTargets } from '../redirects/store.ts';
import { createListings } from './listings.ts';
import { createPostCache, type PostCache } from './post-cache.ts';
import { findRecentChanges } from './recent-changes.ts';
import type { SiteSettings } from './site-settings.ts';

/** A blog as the generator reads it, in the snapshot of `db`. Null if the blog is gone. */
export async function loadSite(
  db: Db,
  blogId: string,
  { blogUrl, mediaUrl, tiers }: SiteSettings,
  cache: PostCache = createPostCache(mediaUrl),
): Promise<Site | null> {
  const row = await findBlog(db, blogId);
  const blog = row && (await loadBlog(db, row, { blogUrl, mediaUrl, tiers }));
  if (!row || !blog) return null;
  const posts = cache.inSnapshot(db, blogId);
  const tagSizes = memoised(() => findListSizes(db, blogId, 'tag'));
  const monthSizes = memoised(() => findListSizes(db, blogId, 'month'));
  return {
    blog,
    isTakenDown: row.takenDownAt !== null,
    async favicon() {
      const icon = shownIcon(blog.settings);
      return icon === null ? null : findFavicon(db, icon);
    },
    ...createListings(db, blogId, posts),
    async posts(ids) {
      const found = [...(await posts.find(ids)).values()];
      const bodies = await posts.bodies(found);
      return byId(found.map((post) => joinBody(post, ofContentVersion(bodies, post))));
    },
    pageAt: (slug) => published.findPageAt(db, blogId, slug),
    slugs: (ids) => published.findSlugs(db, ids),
    async sources(ids) {
      const found = [...(await posts.find(ids)).values()];
      const sources = await posts.sources(found);
      return byId(found.map((post) => ({ ...post, source: ofContentVersion(sources, post) })));
    },
    sitemapPosts: (list, range) => lists.findSitemapPosts(db, blogId, listName(list), range),
    async redirects(formerSlugs) {
      const rows = await published.findRedirectTargets(db, blogId, formerSlugs);
      return new Map(rows.map(({ from, type, to }) => [from, { type, slug: to }]));
    },
    publishedSlugs: async (slugs) => new Set(await published.findPublishedSlugs(db, blogId, slugs)),
    ownerRedirects: (paths) => findTargets(db, blogId, paths),
    recentChanges: () => findRecentChanges(db, blogId, posts),
    allPostIds: memoised(() => published.allPublishedIds(db, blogId)),
    tags: () => lists.findTags(db, blogId),
    months: () => lists.findMonths(db, blogId),
    listSizes: (kind) => (kind === 'tag' ? tagSizes() : monthSizes()),
    allSeries: () => allSeries(db, blogId),
    allLists: () => lists.allLists(db, blogId),
    async allPageNumbers(list) {
      // A blog has many lists: let an event-loop tick pass between them for other blogs.
      await setImmediate();
      return lists.allListPages(db, blogId, listName(list));
    },
    allSitemapChunks: (list, length) => allSitemapChunks(db, blogId, listName(list), length),
    allRedirects: () => allRedirects(db, blogId),
    allOwnerRedirects: () => allPaths(db, blogId),
    allHosts: () => findOwnHosts(db, row, blogUrl),
  };
}

async function loadBlog(
  db: Db,
  blog: Blog,
  { blogUrl, mediaUrl, tiers }: SiteSettings,
): Promise<SiteBlog | null> {
  const account = await findAccount(db, blog.accountId);
  const urls = { url: blogUrl(blog), mediaUrl };
  return account && siteBlog(blog, urls, await findAppearance(db, blog.id), tiers[account.tier]);
}

/** Cache of joined posts by their body. */
const joinedPosts = new WeakMap<
  PostBody,
  { readonly row: published.PublishedPost; readonly post: SitePost }
>();

/** Joins a post and its body. Returns the same object for the same inputs: feeds cache by object identity. */
function joinBody(row: published.PublishedPost, body: PostBody): SitePost {
  const joined = joinedPosts.get(body);
  if (joined?.row === row) return joined.post;
  const post = { ...row, ...body };
  joinedPosts.set(body, { row, post });
  return post;
}

/** A post's value by content version. Throws if it is missing: leaving the page out would delete it from the edge. */
function ofContentVersion<T>(
  found: ReadonlyMap<string, T>,
  { id, contentVersion }: { id: string; contentVersion: string },
): T {
  const value = found.get(contentVersion);
  if (value === undefined) throw new Error(`content version ${contentVersion} of post ${id} is missing`);
  return value;
}

const byId = <T extends { readonly id: string }>(posts: readonly T[]): Map<string, T> =>
  new Map(posts.map((post) => [post.id, post]));

const listName = (list: ListRef): string => list ?? BLOG_LIST;
