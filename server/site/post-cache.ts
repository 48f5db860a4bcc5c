import { LRUCache } from 'lru-cache';
import type { Db } from '../database/database.ts';
import * as texts from '../lists/post-texts.ts';
import * as published from '../lists/published.ts';

/**
 * Cache of published posts, shared by all rebuilds: most posts of a list or feed were on it before, so few must be read.
 * Cache keys make stale entries impossible, so there is no invalidation: a post's row is valid for its row version, which
 * the database increments, and long texts are stored under their content version, which is unique.
 */
export interface PostCache {
  /** A blog's posts in the snapshot of `db`. Each row is validated once per snapshot. */
  at(db: Db, blogId: string): Posts;
}

export interface Posts {
  /** Posts without their long texts, by id, in the order of `ids`. Leaves out posts that are not published. */
  find(ids: readonly string[]): Promise<Found>;
  /** The same for posts whose row versions are already known from this snapshot. */
  findListed(posts: readonly Pick<published.ListedVersion, 'id' | 'version'>[]): Promise<Found>;
  /** By content version. */
  bodies: Find<texts.PostBody>;
  sources: Find<string>;
  /** Beginnings of the searchable texts, by content version. */
  texts: Find<string>;
}

type Found = ReadonlyMap<string, published.PublishedPost>;

type Find<T> = (posts: readonly Edition[]) => Promise<ReadonlyMap<string, T>>;

interface Edition {
  readonly id: string;
  readonly edition: string;
}

interface KeptPost extends published.PostVersion {
  /** Number of the snapshot in which it was last validated. */
  snapshot: number;
}

/** Cached rows, of about a kilobyte each. */
const KEPT_POSTS = 20_000;

/** Approximate characters: cached bodies (a publish needs many), and each of the other kinds of text. */
const KEPT_BODIES = 32 * 1024 * 1024;
const KEPT_TEXTS = 8 * 1024 * 1024;

export function createPostCache(): PostCache {
  const kept = new LRUCache<string, KeptPost>({ max: KEPT_POSTS });
  const bodies = byEdition(
    texts.findBodies,
    KEPT_BODIES,
    ({ html, headings }) => html.length + headings.length * 100,
  );
  const sources = byEdition(texts.findSources, KEPT_TEXTS, (source) => source.length);
  const beginnings = byEdition(texts.findTextBeginnings, KEPT_TEXTS, (text) => text.length);
  let snapshots = 0;
  return {
    at(db, blogId) {
      snapshots += 1;
      const snapshot = snapshots;

      async function findAt(ids: readonly string[], versions: ReadonlyMap<string, number>): Promise<Found> {
        const rows = new Map<string, KeptPost>();
        for (const id of ids) {
          const row = kept.get(id);
          if (!row || (row.snapshot !== snapshot && row.version !== versions.get(id))) continue;
          row.snapshot = snapshot;
          rows.set(id, row);
        }
        const unread = rows.size === ids.length ? [] : ids.filter((id) => !rows.has(id));
        for (const read of await published.findPublished(db, unread)) {
          const row = { ...read, snapshot };
          rows.set(row.post.id, row);
          kept.set(row.post.id, row);
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
          const doubtful = ids.filter((id) => (kept.peek(id)?.snapshot ?? snapshot) !== snapshot);
          return findAt(ids, await published.findVersions(db, doubtful));
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

function byEdition<T extends string | object>(
  read: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  maxSize: number,
  lengthOf: (value: T) => number,
): (db: Db, posts: readonly Edition[]) => ReturnType<Find<T>> {
  const kept = new LRUCache<string, T>({ maxSize, sizeCalculation: (value) => lengthOf(value) + 100 });
  return async (db, posts) => {
    const all = new Map<string, T>();
    const unread: string[] = [];
    // Take the cached values before awaiting: another rebuild may evict them meanwhile.
    for (const { id, edition } of posts) {
      const value = kept.get(edition);
      if (value === undefined) unread.push(id);
      else all.set(edition, value);
    }
    for (const [edition, value] of await read(db, unread)) {
      all.set(edition, value);
      kept.set(edition, value);
    }
    return all;
  };
}
