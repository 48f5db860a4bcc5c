import type { Services } from '../compose.ts';

/** Writes the buffered last-used times of credentials. */
export const flushLastUsed = ({ lastUsed: uses }: Services): Promise<void> => uses.flush();
