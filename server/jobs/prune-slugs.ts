import type { Services } from '../compose.ts';
import { deleteRestedSlugs } from '../store/resting-slugs.ts';

/** Forgets slugs of deleted blogs that anybody may have again. */
export const pruneSlugs = ({ db, clock }: Services): Promise<void> => deleteRestedSlugs(db, clock.now());
