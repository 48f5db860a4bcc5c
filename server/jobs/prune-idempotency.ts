import type { Services } from '../compose.ts';

/** Drops what is known under idempotency keys that are a day old. */
export const pruneIdempotency = ({ idempotency }: Services): Promise<void> => idempotency.prune();
