import type { IncomingMessage } from 'node:http';
import { currentTick } from '../runtime/event-loop-tick.ts';
import type { FileResponse } from './file-response.ts';

/** Responses of the current event-loop tick, reused for identical requests in the same tick. */
export interface TickCache {
  find(req: IncomingMessage): CachedResponse | null;
  /** Call it in the tick in which everything that the response depends on was checked. */
  remember(req: IncomingMessage, ready: CachedResponse): void;
}

export interface CachedResponse {
  readonly answer: FileResponse;
  readonly bytes: Buffer;
}

interface TickEntry extends CachedResponse {
  readonly host: string | undefined;
  readonly accepted: string | undefined;
}

/**
 * Under load, a tick has many requests, most of them for a few pages. These are served without any lookup. One
 * response is kept for each URL and only for one tick, so memory is bounded by the requests of a tick.
 */
export function createTickCache(): TickCache {
  const responses = new Map<string | undefined, TickEntry>();
  let tick = -1;
  return {
    find({ url, method, headers }) {
      if (tick !== currentTick() || (method !== 'GET' && method !== 'HEAD') || headers.range !== undefined)
        return null;
      const known = responses.get(url);
      const isSame = known?.host === headers.host && known?.accepted === headers['accept-encoding'];
      return known && isSame ? known : null;
    },
    remember({ url, headers }, { answer, bytes }) {
      if (tick !== currentTick()) responses.clear();
      tick = currentTick();
      responses.set(url, { answer, bytes, host: headers.host, accepted: headers['accept-encoding'] });
    },
  };
}
