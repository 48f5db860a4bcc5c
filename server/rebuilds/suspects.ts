import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';

/**
 * A blog whose rebuild was running when a builder died, and no attempt at which has ended since. The blog may have
 * caused the death: an attempt that ends, well or badly, clears it.
 */
export interface Suspect {
  readonly blogId: string;
  /** Builder deaths since an attempt last ended. */
  readonly deaths: number;
  /** When the last death was noticed. */
  readonly diedAt: string;
}

/** Builder deaths in a row at a blog before it is set aside. */
export const MAX_DEATHS = 3;

/** How long a blog that was set aside is left alone at least, even if it is written to. */
export const SET_ASIDE_MS = 10 * 60 * 1000;

/**
 * When a blog that was set aside is tried again without a write: the builder may have died of something else, such as
 * three restarts of the machine.
 */
export const SET_ASIDE_RETRY_MS = 60 * 60 * 1000;

/** Whether a blog is left alone until this delay has passed and the blog is written to. */
export const isSetAside = ({ deaths }: Pick<Suspect, 'deaths'>): boolean => deaths >= MAX_DEATHS;

const columns = ['blog_id as blogId', 'builder_deaths as deaths', 'last_death_at as diedAt'] as const;

/** Records a builder death at a blog. */
export const recordDeath = (db: Db, blogId: string, now: string): Promise<Suspect> =>
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

/** Clears a blog: an attempt has ended, and the builder survived it. */
export async function clearSuspect(db: Db, blogId: string): Promise<void> {
  await deleteSuspect(db, blogId);
}

const deleteSuspect = prepared((db, blogId: string) =>
  db.deleteFrom('suspect_blogs').where('blog_id', '=', blogId),
);

/** Blogs that are set aside, the longest first. Usually there are none. */
export const listSetAside = (db: Db): Promise<Suspect[]> =>
  db
    .selectFrom('suspect_blogs')
    .select(columns)
    .where('builder_deaths', '>=', MAX_DEATHS)
    .orderBy('last_death_at')
    .orderBy('blog_id')
    .execute();
