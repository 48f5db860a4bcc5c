import type { Services } from '../compose.ts';

/** Drops answers under idempotency keys that are a day old. */
export const pruneAnswers = ({ answers }: Services): Promise<void> => answers.prune();
