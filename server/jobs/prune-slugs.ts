import { deleteRestedSlugs } from '../addresses/held-slugs.ts';
import type { Services } from '../compose.ts';

/** Forgets slugs of deleted blogs that anybody may have again. */
export const pruneSlugs = ({ db, clock }: Services): Promise<void> => deleteRestedSlugs(db, clock.now());
