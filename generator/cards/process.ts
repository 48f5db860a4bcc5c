/** Child process that draws cards one after the other. It ends when its parent disconnects. */
import { lowerProcessPriority } from '../workers/priority.ts';
import { drawCard } from './draw.ts';
import type { DrawReply, DrawRequest } from './pool.ts';

// Pages are live without their cards.
lowerProcessPriority('builder');
// A signal to the server often reaches its whole process group, but the server waits for the card that is being drawn.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

process.on('message', async ({ card }: DrawRequest) => sendReply(await drawReply(card)));

function drawReply(card: DrawRequest['card']): Promise<DrawReply> {
  return drawCard(card).then(
    (png) => ({ png }),
    (error: unknown) => ({
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  );
}

/** Ignores errors: the parent process may be gone. */
function sendReply(drawn: DrawReply): void {
  process.send?.(drawn, () => {});
}
