import type { Services } from '../compose.ts';

/** Deletes idempotency records older than 24 hours. */
export const pruneIdempotency = ({ idempotency }: Services): Promise<void> => idempotency.prune();
