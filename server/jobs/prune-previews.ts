import type { Services } from '../compose.ts';
import { deleteExpiredPreviews } from '../previews/store.ts';

/** Drops preview links that have expired. */
export const prunePreviews = ({ db, clock }: Services): Promise<void> =>
  deleteExpiredPreviews(db, clock.now());
