import type { Services } from '../compose.ts';
import { deleteExpiredPreviews } from '../previews/store.ts';

/** Deletes expired preview links. */
export const prunePreviews = ({ db, clock }: Services): Promise<void> =>
  deleteExpiredPreviews(db, clock.now());
