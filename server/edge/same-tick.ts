import type { IncomingMessage } from 'node:http';
import { thisTurn } from '../runtime/event-loop-tick.ts';
import type { Answer } from './answer.ts';

/** Responses of the current event-loop tick, reused for identical requests in the same tick. */
export interface SameTurn {
  find(req: IncomingMessage): Ready | null;
  /** Call it in the tick in which everything that the response depends on was checked. */
  remember(req: IncomingMessage, ready: Ready): void;
}

export interface Ready {
  readonly answer: Answer;
  readonly bytes: Buffer;
}

interface Remembered extends Ready {
  readonly host: string | undefined;
  readonly accepted: string | undefined;
}

/**
 * Under load, a tick has many requests, most of them for a few pages. These are served without any lookup. One response
 * is kept for each URL and only for one tick, so memory is bounded by the requests of a tick.
 */
export function createSameTurn(): SameTurn {
  const answers = new Map<string | undefined, Remembered>();
  let turn = -1;
  return {
    find({ url, method, headers }) {
      if (turn !== thisTurn() || (method !== 'GET' && method !== 'HEAD') || headers.range !== undefined)
        return null;
      const known = answers.get(url);
      const isSame = known?.host === headers.host && known?.accepted === headers['accept-encoding'];
      return known && isSame ? known : null;
    },
    remember({ url, headers }, { answer, bytes }) {
      if (turn !== thisTurn()) answers.clear();
      turn = thisTurn();
      answers.set(url, { answer, bytes, host: headers.host, accepted: headers['accept-encoding'] });
    },
  };
}
