import type { RenderedMarkdown } from '../../generator/markdown/render.ts';
import type { Db } from '../database/database.ts';
import { renderedColumns } from './store.ts';

/** A post that the Markdown pipeline has rendered in an older version. */
export interface OutdatedPost {
  readonly id: string;
  readonly renderer: number;
}

/** The next posts, in an order of their own, that were rendered before `version`. */
export async function findOutdatedPosts(
  db: Db,
  version: number,
  after: OutdatedPost | null,
  limit: number,
): Promise<OutdatedPost[]> {
  const outdated = db.selectFrom('post_contents').where('renderer_version', '<', version);
  const rest = after
    ? outdated.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('renderer_version', 'post_id'), '>', tuple(after.renderer, after.id)),
      )
    : outdated;
  return rest
    .select(['post_id as id', 'renderer_version as renderer'])
    .orderBy('renderer_version')
    .orderBy('post_id')
    .limit(limit)
    .execute();
}

/** What is to be rendered of a post, and the text of its rendering; null where it has been deleted. */
export async function findSource(
  db: Db,
  postId: string,
): Promise<{ blogId: string; source: string; text: string } | null> {
  const row = await db
    .selectFrom('post_contents as content')
    .innerJoin('posts', 'posts.id', 'content.post_id')
    .select(['posts.blog_id as blogId', 'content.source', 'content.text'])
    .where('content.post_id', '=', postId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Notes that a version of the pipeline has been tried on a post. False where that is not so any more: the post has
 * been deleted or its content written anew since `source` was read.
 */
export async function markTried(db: Db, postId: string, source: string, version: number): Promise<boolean> {
  const marked = await db
    .updateTable('post_contents')
    .set({ renderer_version: version })
    .where('post_id', '=', postId)
    .where('source', '=', source)
    .where('renderer_version', '<', version)
    .executeTakeFirst();
  return marked.numUpdatedRows > 0n;
}

/** Replaces what was rendered from a post's source. False where it is the same as before. */
export async function replaceRendering(db: Db, postId: string, rendered: RenderedMarkdown): Promise<boolean> {
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
      ]),
    )
    .executeTakeFirst();
  return replaced.numUpdatedRows > 0n;
}
