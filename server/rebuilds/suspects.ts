import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';

/**
 * A blog whose rebuild was running when a builder died, and no attempt at which has ended since. The blog may have
 * caused the death: an attempt that ends, well or badly, clears it.
 */
export interface Suspect {
  readonly blogId: string;
  /** What builder deaths since an attempt last ended say against the blog: at `MAX_SUSPICION`, it is set aside. */
  readonly suspicion: number;
  /** When the last death was noticed. */
  readonly diedAt: string;
}

/** Deaths in a row at a blog before it is set aside, if the server outlived the builder. */
export const MAX_DEATHS = 3;
/**
 * The same if the whole server died. A blog can do that, by the memory that it needs, but somebody may also have killed
 * the server, or the machine has failed: often enough, in the hours that a large blog may take.
 */
export const MAX_SERVER_DEATHS = 9;

/** Which died: the builder alone, or the server with it. */
export type Died = 'builder' | 'server';

const suspicionOf = { builder: MAX_SERVER_DEATHS / MAX_DEATHS, server: 1 } as const;
/** Suspicion at which a blog is set aside. */
export const MAX_SUSPICION = MAX_SERVER_DEATHS * suspicionOf.server;

/** How long a blog that was set aside is left alone at least, even if it is written to. */
export const SET_ASIDE_MS = 10 * 60 * 1000;

/**
 * When a blog that was set aside is tried again without a write: the builder may have died of something else, such as
 * restarts of the machine.
 */
export const SET_ASIDE_RETRY_MS = 60 * 60 * 1000;

/** Whether a blog is left alone until this delay has passed and the blog is written to. */
export const isSetAside = ({ suspicion }: Pick<Suspect, 'suspicion'>): boolean => suspicion >= MAX_SUSPICION;

const columns = ['blog_id as blogId', 'builder_deaths as suspicion', 'last_death_at as diedAt'] as const;

/** Records a builder death at a blog. */
export const recordDeath = (db: Db, blogId: string, died: Died, now: string): Promise<Suspect> =>
  db
    .insertInto('suspect_blogs')
    .values({ blog_id: blogId, builder_deaths: suspicionOf[died], last_death_at: now })
    .onConflict((oc) =>
      oc.column('blog_id').doUpdateSet((eb) => ({
        builder_deaths: eb('suspect_blogs.builder_deaths', '+', suspicionOf[died]),
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
    .where('builder_deaths', '>=', MAX_SUSPICION)
    .orderBy('last_death_at')
    .orderBy('blog_id')
    .execute();
