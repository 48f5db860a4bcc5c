import { join } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';

/** Positions of a blog's posts in its lists, read from the database. They determine which pages show a post. */
export interface PostPositions {
  /** The published post at a fraction of the blog, ordered by date (0: the oldest). */
  postAt(fraction: number): { readonly id: string; readonly slug: string; readonly tags: readonly string[] };
  idOf(slug: string): string;
  /** The post's lists: the blog's main list (''), those of its tags, and that of its month (`@2026-11`). */
  listsOf(postId: string): readonly { readonly list: string; readonly run: number }[];
  /** Slugs of the previous and the next post. */
  neighboursOf(slug: string): readonly string[];
  close(): void;
}

const row = z.object({ id: z.string(), slug: z.string(), tags: z.string() });
const lists = z.array(z.object({ list: z.string(), run: z.number() }));
const slugs = z.array(z.object({ slug: z.string() }));

export function openPostPositions(dataDir: string, blogId: string): PostPositions {
  const database = new Database(join(dataDir, 'platen.db'), { readonly: true });
  const published = `from posts where blog_id = ? and status = 'published'`;
  const count = database.prepare(`select count(*) as posts ${published}`).pluck();
  const nth = database.prepare(
    `select id, slug, tags ${published} order by published_at, id limit 1 offset ?`,
  );
  const bySlug = database.prepare(`select id ${published} and slug = ?`).pluck();
  const placements = database.prepare(
    'select list, list_page as run from placements where post_id = ? and list_page is not null',
  );
  const publishedAtOf = `(select published_at from posts where blog_id = ? and slug = ?)`;
  const before = database.prepare(
    `select slug ${published} and published_at < ${publishedAtOf} order by published_at desc limit 1`,
  );
  const after = database.prepare(
    `select slug ${published} and published_at > ${publishedAtOf} order by published_at limit 1`,
  );
  return {
    postAt(share) {
      const posts = z.number().parse(count.get(blogId));
      const { tags, ...found } = row.parse(nth.get(blogId, Math.floor(share * posts)));
      return { ...found, tags: z.array(z.string()).parse(JSON.parse(tags)) };
    },
    idOf: (slug) => z.string().parse(bySlug.get(blogId, slug)),
    listsOf: (postId) => lists.parse(placements.all(postId)),
    neighboursOf: (slug) =>
      slugs
        .parse([...before.all(blogId, blogId, slug), ...after.all(blogId, blogId, slug)])
        .map((beside) => beside.slug),
    close: () => database.close(),
  };
}
