import type { Services } from '../compose.ts';

/** Writes down when credentials were last used. */
export const flushUses = ({ uses }: Services): Promise<void> => uses.flush();
