import type { Services } from '../compose.ts';
import { deleteRestedSlugs } from '../store/resting-slugs.ts';

/** Deletes held slugs of deleted blogs whose hold has ended. */
export const pruneSlugs = ({ db, clock }: Services): Promise<void> => deleteRestedSlugs(db, clock.now());
