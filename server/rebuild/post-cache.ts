import { LRUCache } from 'lru-cache';
import type { Db } from '../store/database.ts';
import * as texts from '../store/post-texts.ts';
import * as published from '../store/published.ts';

/**
 * What was read of published posts before, for all rebuilds: every list and feed has posts that it had before, so that
 * few are read anew. What is kept has a name under which it can never be out of date: a post's row its version, which the
 * database counts up, what is long its edition, which is never another's. There is nothing to forget.
 */
export interface PostCache {
  /** All but what is long, in the order of the ids, of which those are left out that are not published in the blog. */
  posts(db: Db, blogId: string, ids: readonly string[]): Promise<readonly published.PublishedPost[]>;
  /** By edition. */
  bodies: Find<texts.PostBody>;
  sources: Find<string>;
  /** The beginnings of what is searched. */
  texts: Find<string>;
}

type Find<T> = (db: Db, posts: readonly Edition[]) => Promise<ReadonlyMap<string, T>>;

interface Edition {
  readonly id: string;
  readonly edition: string;
}

/** Of about a kilobyte each. */
const KEPT_POSTS = 20_000;

/** Characters, more or less: of bodies, of which most posts of a publish show many, and of the others. */
const KEPT_BODIES = 32 * 1024 * 1024;
const KEPT_TEXTS = 8 * 1024 * 1024;

export function createPostCache(): PostCache {
  const kept = new LRUCache<string, published.PostVersion>({ max: KEPT_POSTS });
  return {
    async posts(db, blogId, ids) {
      const versions = await published.findVersions(
        db,
        ids.filter((id) => kept.has(id)),
      );
      const rows = new Map<string, published.PostVersion>();
      for (const id of ids) {
        const row = kept.get(id);
        if (row && row.version === versions.get(id)) rows.set(id, row);
      }
      const unread = ids.filter((id) => !rows.has(id));
      for (const row of await published.findPublished(db, unread)) {
        rows.set(row.post.id, row);
        kept.set(row.post.id, row);
      }
      return ids.flatMap((id) => {
        const row = rows.get(id);
        return row?.blogId === blogId ? [row.post] : [];
      });
    },
    bodies: byEdition(
      texts.findBodies,
      KEPT_BODIES,
      ({ html, headings }) => html.length + headings.length * 100,
    ),
    sources: byEdition(texts.findSources, KEPT_TEXTS, (source) => source.length),
    texts: byEdition(texts.findTexts, KEPT_TEXTS, (text) => text.length),
  };
}

function byEdition<T extends string | object>(
  read: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  maxSize: number,
  lengthOf: (value: T) => number,
): Find<T> {
  const kept = new LRUCache<string, T>({ maxSize, sizeCalculation: (value) => lengthOf(value) + 100 });
  return async (db, posts) => {
    const all = new Map<string, T>();
    const unread: string[] = [];
    // Taken at once: while others are read, another rebuild may have what is kept make room.
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
