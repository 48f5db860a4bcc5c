/** A process in which cards are drawn, one after the other. It ends when the one that has started it lets it go. */
import { yieldProcess } from '../workers/priority.ts';
import { drawCard } from './draw.ts';
import type { Drawn, ToDraw } from './pool.ts';

// Pages are there without their cards.
yieldProcess('builder');
// Who stops the server stops its whole group, and the server waits for the card that is being drawn.
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

/** Nobody may be there any more to be told. */
function tell(drawn: Drawn): void {
  process.send?.(drawn, () => {});
}
