import { LRUCache } from 'lru-cache';
import type { Db } from '../database/database.ts';
import type { ListedVersion } from '../lists/list-pages.ts';
import { resolvePictures } from '../media/pictures.ts';
import { resolveHtml, resolveMarkdown } from '../media/references.ts';
import * as texts from '../published/post-bodies.ts';
import * as published from '../published/published-posts.ts';

/**
 * Cache of published posts, shared by all rebuilds: most posts of a list or feed were on it before, so few must be
 * read. Cache keys make stale entries impossible, so there is no invalidation: a post's row is valid for its row
 * version, which the database increments, and long texts are stored under their content version, which is unique. What
 * it returns has addresses of images instead of references, because where images are does not change while a process
 * runs.
 */
export interface PostCache {
  /** A blog's posts in the snapshot of `db`. Each row is validated once per snapshot. */
  inSnapshot(db: Db, blogId: string): SnapshotPosts;
}

export interface SnapshotPosts {
  /** Posts without their long texts, by id, in the order of `ids`. Leaves out posts that are not published. */
  find(ids: readonly string[]): Promise<FoundPosts>;
  /** The same for posts whose row versions are already known from this snapshot. */
  findListed(posts: readonly Pick<ListedVersion, 'id' | 'version'>[]): Promise<FoundPosts>;
  /** By content version. */
  bodies: Lookup<texts.PostBody>;
  sources: Lookup<string>;
  /** Beginnings of the searchable texts, by content version. */
  texts: Lookup<string>;
}

type FoundPosts = ReadonlyMap<string, published.PublishedPost>;

type Lookup<T> = (posts: readonly ContentVersion[]) => Promise<ReadonlyMap<string, T>>;

interface ContentVersion {
  readonly id: string;
  readonly contentVersion: string;
}

interface CachedPost extends published.PostVersion {
  /** Number of the snapshot in which it was last validated. */
  snapshot: number;
}

/** Cached rows, of about a kilobyte each. */
const MAX_POSTS = 20_000;

/** Approximate characters: cached bodies (a publish needs many), and each of the other kinds of text. */
const MAX_BODY_CHARS = 32 * 1024 * 1024;
const MAX_TEXT_CHARS = 8 * 1024 * 1024;

/** `mediaUrl` is the URL of uploaded images, without a trailing slash. */
export function createPostCache(mediaUrl: string): PostCache {
  const cache = new LRUCache<string, CachedPost>({ max: MAX_POSTS });
  const bodies = cacheByContentVersion(
    texts.findBodies,
    ({ html, headings }): texts.PostBody => ({ html: resolveHtml(html, mediaUrl), headings }),
    MAX_BODY_CHARS,
    ({ html, headings }) => html.length + headings.length * 100,
  );
  const sources = cacheByContentVersion(
    texts.findSources,
    ({ source, imagePaths }) => resolveMarkdown(source, imagePaths, mediaUrl),
    MAX_TEXT_CHARS,
    (source) => source.length,
  );
  const beginnings = cacheByContentVersion(
    texts.findTextBeginnings,
    (text) => text,
    MAX_TEXT_CHARS,
    (text) => text.length,
  );
  let snapshots = 0;
  return {
    inSnapshot(db, blogId) {
      snapshots += 1;
      const snapshot = snapshots;

      async function findAt(
        ids: readonly string[],
        versions: ReadonlyMap<string, number>,
      ): Promise<FoundPosts> {
        const rows = new Map<string, CachedPost>();
        for (const id of ids) {
          const row = cache.get(id);
          if (!row || (row.snapshot !== snapshot && row.version !== versions.get(id))) continue;
          row.snapshot = snapshot;
          rows.set(id, row);
        }
        const unread = rows.size === ids.length ? [] : ids.filter((id) => !rows.has(id));
        for (const read of await published.findPublished(db, unread)) {
          const row = { ...read, post: resolvePost(read.post, mediaUrl), snapshot };
          rows.set(row.post.id, row);
          cache.set(row.post.id, row);
        }
        const found = new Map<string, published.PublishedPost>();
        for (const id of ids) {
          const row = rows.get(id);
          if (row?.blogId === blogId) found.set(id, row.post);
        }
        return found;
      }

      return {
        async find(ids) {
          const unvalidated = ids.filter((id) => (cache.peek(id)?.snapshot ?? snapshot) !== snapshot);
          return findAt(ids, await published.findVersions(db, unvalidated));
        },
        findListed: (posts) =>
          findAt(
            posts.map(({ id }) => id),
            new Map(posts.map(({ id, version }) => [id, version])),
          ),
        bodies: (posts) => bodies(db, posts),
        sources: (posts) => sources(db, posts),
        texts: (posts) => beginnings(db, posts),
      };
    },
  };
}

const resolvePost = (post: published.PublishedPost, mediaUrl: string): published.PublishedPost => ({
  ...post,
  ...resolvePictures(post, mediaUrl),
});

function cacheByContentVersion<Stored, T extends string | object>(
  read: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, Stored>>,
  resolve: (stored: Stored) => T,
  maxSize: number,
  lengthOf: (value: T) => number,
): (db: Db, posts: readonly ContentVersion[]) => ReturnType<Lookup<T>> {
  const cache = new LRUCache<string, T>({ maxSize, sizeCalculation: (value) => lengthOf(value) + 100 });
  return async (db, posts) => {
    const all = new Map<string, T>();
    const unread: string[] = [];
    // Take the cached values before awaiting: another rebuild may evict them meanwhile.
    for (const { id, contentVersion } of posts) {
      const value = cache.get(contentVersion);
      if (value === undefined) unread.push(id);
      else all.set(contentVersion, value);
    }
    for (const [contentVersion, stored] of await read(db, unread)) {
      const value = resolve(stored);
      all.set(contentVersion, value);
      cache.set(contentVersion, value);
    }
    return all;
  };
}
