import type { IncomingMessage } from 'node:http';
import { thisTurn } from '../runtime/event-loop-tick.ts';
import type { Answer } from './answer.ts';

/** What was answered in this turn of the event loop: whoever asks for the same within it gets the same. */
export interface SameTurn {
  find(req: IncomingMessage): Ready | null;
  /** To be called in the turn in which all was looked at that the answer depends on. */
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
 * Under load a turn has many requests, and most of them are for a few pages: these are found without a look at what
 * they ask for. One is remembered for each address, so that nothing grows beyond what a turn brings.
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
