import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';

/**
 * A blog at whose rebuild a builder died, and which no attempt has been ended at since. It may be what the builder died
 * of: an attempt that ends, well or badly, clears it.
 */
export interface Suspect {
  readonly blogId: string;
  /** Builders that have died at it since an attempt last ended. */
  readonly deaths: number;
  /** When the last of them was found dead. */
  readonly diedAt: string;
}

/** Builders that may die at a blog, one after the other, before it is set aside. */
export const DEATHS_MAX = 3;

/** How long a blog that was set aside is left alone at least, even if it is written to. */
export const REST_MS = 10 * 60 * 1000;

/** Whether a blog is left alone until it is written to, and has rested. */
export const isSetAside = ({ deaths }: Pick<Suspect, 'deaths'>): boolean => deaths >= DEATHS_MAX;

const columns = ['blog_id as blogId', 'builder_deaths as deaths', 'last_death_at as diedAt'] as const;

/** Notes that a builder died at a blog. */
export const accuse = (db: Db, blogId: string, now: string): Promise<Suspect> =>
  db
    .insertInto('suspect_blogs')
    .values({ blog_id: blogId, builder_deaths: 1, last_death_at: now })
    .onConflict((oc) =>
      oc.column('blog_id').doUpdateSet((eb) => ({
        builder_deaths: eb('suspect_blogs.builder_deaths', '+', 1),
        last_death_at: now,
      })),
    )
    .returning(columns)
    .executeTakeFirstOrThrow();

/** An attempt at a blog has ended: builders survive it. */
export async function acquit(db: Db, blogId: string): Promise<void> {
  await acquitted(db, blogId);
}

const acquitted = prepared((db, blogId: string) =>
  db.deleteFrom('suspect_blogs').where('blog_id', '=', blogId),
);

/** Blogs that have been set aside, longest first. There seldom are any. */
export const listSetAside = (db: Db): Promise<Suspect[]> =>
  db
    .selectFrom('suspect_blogs')
    .select(columns)
    .where('builder_deaths', '>=', DEATHS_MAX)
    .orderBy('last_death_at')
    .orderBy('blog_id')
    .execute();
