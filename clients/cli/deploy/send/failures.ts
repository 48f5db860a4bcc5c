import {
  ConnectionError,
  ForbiddenError,
  PlatenError,
  ServerError,
  UnauthorizedError,
} from '../../../sdk/index.ts';
import type { FileMessage } from '../../folder/file-message.ts';
import { messageOf } from '../../folder/read-folder.ts';

/** So many posts are refused for the same lack of a scope or of quota before a deploy stops. */
const MAX_FORBIDDEN = 3;

/** Keeps what went wrong with single posts, and stops a deploy that cannot go on. */
export interface Failures {
  /** Throws the error if every other request would fail like this one. */
  add(file: string, error: unknown): void;
}

export function createFailures(tell: (message: FileMessage) => void): Failures {
  const forbidden = new Map<string, number>();
  return {
    add(file, error) {
      if (!(error instanceof PlatenError)) return tell(messageOf(file, error));
      if (concernsAll(error)) throw error;
      if (error instanceof ForbiddenError) {
        const count = (forbidden.get(error.message) ?? 0) + 1;
        forbidden.set(error.message, count);
        if (count >= MAX_FORBIDDEN) throw error;
      }
      tell({ file, message: error.message.replaceAll('\n', '; ') });
    },
  };
}

const concernsAll = (error: PlatenError): boolean =>
  error instanceof UnauthorizedError || error instanceof ConnectionError || error instanceof ServerError;
