/** Child process that draws cards one after the other. It ends when its parent disconnects. */
import { yieldProcess } from '../workers/priority.ts';
import { drawCard } from './draw.ts';
import type { Drawn, ToDraw } from './pool.ts';

// Pages are live without their cards.
yieldProcess('builder');
// A signal to the server often reaches its whole process group, but the server waits for the card that is being drawn.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

process.on('message', async ({ card }: ToDraw) => tell(await drawn(card)));

function drawn(card: ToDraw['card']): Promise<Drawn> {
  return drawCard(card).then(
    (png) => ({ png }),
    (error: unknown) => ({
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  );
}

/** Ignores errors: the parent process may be gone. */
function tell(drawn: Drawn): void {
  process.send?.(drawn, () => {});
}
