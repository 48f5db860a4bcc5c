import type { Client } from '../support/client.ts';

/** Blogs that are rebuilt continuously. */
export interface ContinuousRebuilds {
  /** Stops after the current rebuilds; resolves when they are live. */
  stop(): Promise<void>;
}

/** Poll interval for large builds: longer, so that polling is no load. */
export const POLL_INTERVAL_MS = 200;

/** Rebuilds each blog again as soon as it is live. Resolves when the first rebuilds are queued. */
export async function keepRebuilding(clients: readonly Client[]): Promise<ContinuousRebuilds> {
  let stopped = false;
  const first = await Promise.all(clients.map((client) => client.rename()));
  const all = clients.map(async (client, n) => {
    let rebuildId = first[n]?.rebuild_id ?? '';
    while (true) {
      await client.untilLive(rebuildId, POLL_INTERVAL_MS);
      if (stopped) return;
      rebuildId = (await client.rename()).rebuild_id;
    }
  });
  const ended = Promise.all(all).then(() => {});
  // `stop` reports the error; this only prevents an unhandled rejection.
  ended.catch(() => {});
  return {
    stop() {
      stopped = true;
      return ended;
    },
  };
}
