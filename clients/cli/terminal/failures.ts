import {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  PlatenError,
  PreconditionFailedError,
  UnauthorizedError,
} from '../../sdk/index.ts';
import { PreviewError } from '../dev/server-process.ts';
import { FolderError } from '../folder/walk.ts';
import { CommandError, NotSignedInError, UsageError } from './errors.ts';
import { withLines } from './shown-text.ts';

/** What an exit code says, for scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  notReachable: 6,
  interrupted: 130,
} as const;

/** An error as a command line reports it. */
export interface Failure {
  readonly exitCode: number;
  /** For programs: that of the API if it is one of the API. */
  readonly code: string;
  /** For people: what is wrong and what to do. */
  readonly message: string;
  /** Further lines: advice, and where to read on. */
  readonly advice: readonly string[];
}

const SIGN_IN = 'platen whoami shows the server and the key in use; platen login signs in with another key';

/** The one place that turns errors into sentences and exit codes. */
export function failureOf(error: unknown, isInterrupted: boolean): Failure {
  if (isInterrupted || (error instanceof Error && error.name === 'AbortError'))
    return failure('interrupted', 'interrupted', 'interrupted');
  if (error instanceof PlatenError) return failureOfServer(error);
  if (error instanceof UsageError) return failure('wrongUsage', 'wrong_usage', error.message);
  if (error instanceof NotSignedInError) return failure('notAllowed', 'not_signed_in', error.message);
  const isSentence = [CommandError, FolderError, PreviewError].some((kind) => error instanceof kind);
  if (error instanceof Error && (isSentence || ('code' in error && 'syscall' in error)))
    return failure('failed', 'failed', error.message);
  // A mistake of ours: its place helps to mend it.
  return failure(
    'failed',
    'unexpected',
    error instanceof Error ? (error.stack ?? error.message) : String(error),
  );
}

const failure = (
  kind: keyof typeof exitCodes,
  code: string,
  message: string,
  advice: readonly string[] = [],
): Failure => ({ exitCode: exitCodes[kind], code, message: withLines(message), advice });

function failureOfServer(error: PlatenError): Failure {
  const more = [
    ...(error.upgradeUrl === undefined ? [] : [`Plans: ${error.upgradeUrl}`]),
    ...(error.docs === undefined ? [] : [error.docs]),
  ];
  const as = (kind: keyof typeof exitCodes, ...advice: readonly string[]) =>
    failure(kind, error.code, error.message, [...advice, ...more].map(withLines));
  if (error.code === 'invalid_call') return as('wrongUsage');
  if (error instanceof UnauthorizedError) return as('notAllowed', SIGN_IN);
  if (error instanceof ForbiddenError) return as('notAllowed');
  if (error instanceof NotFoundError) return as('notFound');
  if (error instanceof ConflictError || error instanceof PreconditionFailedError) return as('conflict');
  if (error instanceof ConnectionError || isGateway(error.status))
    return as(
      'notReachable',
      'Does the server run? platen whoami shows its address, and --url takes another',
    );
  return as('failed');
}

/** Answers of what stands in front of a server that is down. */
const isGateway = (status: number | undefined): boolean => status === 502 || status === 503 || status === 504;

/** A failure for standard error: for people, or for programs in the shape of an error of the API. */
export function failureText({ code, message, advice }: Failure, isJson: boolean): string {
  if (isJson) return `${JSON.stringify({ error: code, message })}\n`;
  return [`platen: ${message}`, ...advice.map((line) => `  ${line}`)].map((line) => `${line}\n`).join('');
}
