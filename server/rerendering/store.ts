import type { CoverImage } from '../../generator/site/picture.ts';
import type { RenderedPost } from '../content/render-post.ts';
import type { Db } from '../database/database.ts';
import { renderedColumns } from '../posts/post-columns.ts';

/** A post that an older version of the Markdown pipeline rendered. */
export interface OutdatedPost {
  readonly id: string;
  readonly renderer: number;
}

/** The next posts after `after` that were rendered before `version`, in order of that version and id. */
export async function findOutdatedPosts(
  db: Db,
  version: number,
  after: OutdatedPost | null,
  limit: number,
): Promise<OutdatedPost[]> {
  const outdated = db.selectFrom('post_contents').where('renderer_version', '<', version);
  const remaining = after
    ? outdated.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('renderer_version', 'post_id'), '>', tuple(after.renderer, after.id)),
      )
    : outdated;
  return remaining
    .select(['post_id as id', 'renderer_version as renderer'])
    .orderBy('renderer_version')
    .orderBy('post_id')
    .limit(limit)
    .execute();
}

/** What to render of a post, and the plain text of its current rendering; null if it has been deleted. */
export async function findPostSource(
  db: Db,
  postId: string,
): Promise<{ blogId: string; accountId: string; source: string; text: string } | null> {
  const row = await db
    .selectFrom('post_contents as content')
    .innerJoin('posts', 'posts.id', 'content.post_id')
    .innerJoin('blogs', 'blogs.id', 'posts.blog_id')
    .select(['posts.blog_id as blogId', 'blogs.account_id as accountId', 'content.source', 'content.text'])
    .where('content.post_id', '=', postId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Records that a version of the pipeline has been tried on a post. False if the post has been deleted or its content
 * rewritten since `source` was read, or if this version is recorded already.
 */
export async function recordRendererTried(
  db: Db,
  postId: string,
  source: string,
  version: number,
): Promise<boolean> {
  const marked = await db
    .updateTable('post_contents')
    .set({ renderer_version: version })
    .where('post_id', '=', postId)
    .where('source', '=', source)
    .where('renderer_version', '<', version)
    .executeTakeFirst();
  return marked.numUpdatedRows > 0n;
}

/** Replaces the rendering of a post. False if it is the same as before. */
export async function replaceRendering(db: Db, postId: string, rendered: RenderedPost): Promise<boolean> {
  const columns = renderedColumns(rendered);
  const replaced = await db
    .updateTable('post_contents')
    .set(columns)
    .where('post_id', '=', postId)
    .where((eb) =>
      eb.or([
        eb('html', 'is distinct from', columns.html),
        eb('headings', 'is distinct from', columns.headings),
        eb('description', 'is distinct from', columns.description),
        eb('text', 'is distinct from', columns.text),
        eb('word_count', 'is distinct from', columns.word_count),
        eb('lang', 'is distinct from', columns.lang),
        eb('image_paths', 'is distinct from', columns.image_paths),
      ]),
    )
    .executeTakeFirst();
  return replaced.numUpdatedRows > 0n;
}

/** The cover of a post, as it is stored. */
export async function findCover(db: Db, postId: string): Promise<CoverImage | null> {
  const row = await db
    .selectFrom('posts')
    .select('cover_image as cover')
    .where('id', '=', postId)
    .executeTakeFirst();
  return row?.cover ? JSON.parse(row.cover) : null;
}

export async function replaceCover(db: Db, postId: string, cover: CoverImage): Promise<void> {
  await db
    .updateTable('posts')
    .set({ cover_image: JSON.stringify(cover) })
    .where('id', '=', postId)
    .execute();
}
