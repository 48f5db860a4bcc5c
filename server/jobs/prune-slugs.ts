import { deleteExpiredHeldSlugs } from '../addresses/held-slugs.ts';
import type { Services } from '../compose.ts';

/** Deletes held slugs of deleted blogs whose hold has ended. */
export const pruneHeldSlugs = ({ db, clock }: Services): Promise<void> =>
  deleteExpiredHeldSlugs(db, clock.now());
