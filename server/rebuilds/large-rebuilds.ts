import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';

/** A rebuild of more posts is large. Few large ones run at the same time, and small ones never wait for them. */
export const LARGE_POSTS = 100;
/** The same limit for the files that a blog has on the edge, including deleted ones. */
const LARGE_FILES = 400;

/** How many posts a whole blog counts for in a rebuild. */
export async function blogWeight(db: Db, blogId: string): Promise<number> {
  const [{ posts, files } = { posts: 0, files: 0 }] = await countForWeight(db, blogId, blogId);
  return files > LARGE_FILES ? LARGE_POSTS + 1 : posts;
}

/** Counts no further than just above the limits. */
const countForWeight = prepared((db, blogId: string, sameBlogId: string) => {
  const posts = db.selectFrom('posts').select('id').where('blog_id', '=', blogId);
  const files = db.selectFrom('manifest').select('path').where('blog_id', '=', sameBlogId);
  return db.selectNoFrom((eb) => [
    eb
      .selectFrom(posts.limit(sql.lit(LARGE_POSTS + 1)).as('some_posts'))
      .select((of) => of.fn.countAll<number>().as('n'))
      .$asScalar()
      .$notNull()
      .as('posts'),
    eb
      .selectFrom(files.limit(sql.lit(LARGE_FILES + 1)).as('some_files'))
      .select((of) => of.fn.countAll<number>().as('n'))
      .$asScalar()
      .$notNull()
      .as('files'),
  ]);
});

/** A blog's queued rebuilds are claimed together, so all are large if one is. */
export async function markQueuedLarge(db: Db, blogId: string): Promise<void> {
  await markAllQueuedLarge(db, blogId, blogId);
}

const markAllQueuedLarge = prepared((db, blogId: string, sameBlogId: string) =>
  db
    .updateTable('rebuilds')
    .set({ is_large: 1 })
    .where('blog_id', '=', blogId)
    .where('status', '=', 'queued')
    .where('is_large', '=', 0)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('rebuilds as other')
          .select('other.id')
          .where('other.blog_id', '=', sameBlogId)
          .where('other.status', '=', 'queued')
          .where('other.is_large', '=', 1),
      ),
    ),
);
