import { sql } from 'kysely';
import type { SitePost } from '../../generator/site/post.ts';
import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';

/** The long parts of published posts, by content version. A content version never changes, so they can be cached. */

/** The long parts of a post that its pages show. */
export type PostBody = Pick<SitePost, 'html' | 'headings'>;

const bodiesOf = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('post_contents')
    .select(['content_version', 'html', 'headings'])
    .where('post_id', 'in', anyOf(ids)),
);

/** Bodies of posts by content version. */
export async function findBodies(db: Db, ids: readonly string[]): Promise<Map<string, PostBody>> {
  if (ids.length === 0) return new Map();
  const rows = await bodiesOf(db, ids);
  return new Map(
    rows.map(({ content_version, html, headings }) => [
      content_version,
      { html, headings: JSON.parse(headings) },
    ]),
  );
}

const sourcesOf = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('post_contents')
    .select(['content_version', 'source', 'image_paths'])
    .where('post_id', 'in', anyOf(ids)),
);

/** A post's Markdown, and the paths below the media folder of the uploaded images that it names. */
export interface StoredSource {
  readonly source: string;
  readonly imagePaths: readonly string[];
}

/** Markdown sources of posts by content version. */
export async function findSources(db: Db, ids: readonly string[]): Promise<Map<string, StoredSource>> {
  if (ids.length === 0) return new Map();
  const rows = await sourcesOf(db, ids);
  return new Map(
    rows.map(({ content_version, source, image_paths }) => [
      content_version,
      { source, imagePaths: JSON.parse(image_paths) },
    ]),
  );
}

/** Limit of the beginning of a text in characters. */
export const MAX_TEXT = 16_384;

const beginningsOf = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('post_contents')
    .select(['content_version', sql<string>`substr(text, 1, ${sql.lit(MAX_TEXT)})`.as('text')])
    .where('post_id', 'in', anyOf(ids)),
);

/** Beginnings of the searchable texts of posts, by content version. */
export async function findTextBeginnings(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  return new Map((await beginningsOf(db, ids)).map((row) => [row.content_version, row.text]));
}
