import type { Client } from '../support/client.ts';

/** Blogs that are pressed anew, again and again. */
export interface Rebuilding {
  /** Resolves when what has begun is live. */
  stop(): Promise<void>;
}

/** Whoever has a large blog pressed does not ask all the time. */
export const LOOK_EVERY_MS = 200;

/** Has each blog pressed anew as soon as it is live. Resolves when all are queued for the first time. */
export async function keepRebuilding(clients: readonly Client[]): Promise<Rebuilding> {
  let stopped = false;
  const first = await Promise.all(clients.map((client) => client.rename('Pressed anew')));
  const all = clients.map(async (client, n) => {
    let rebuildId = first[n]?.rebuild_id ?? '';
    for (let round = 1; ; round += 1) {
      await client.untilLive(rebuildId, LOOK_EVERY_MS);
      if (stopped) return;
      rebuildId = (await client.rename(`Pressed anew ${round}`)).rebuild_id;
    }
  });
  const ended = Promise.all(all).then(() => {});
  // Whoever stops it is told.
  ended.catch(() => {});
  return {
    stop() {
      stopped = true;
      return ended;
    },
  };
}
