import type { Services } from '../compose.ts';
import { deleteExpiredPreviews } from '../store/previews.ts';

/** Deletes expired preview links. */
export const prunePreviews = ({ db, clock }: Services): Promise<void> =>
  deleteExpiredPreviews(db, clock.now());
