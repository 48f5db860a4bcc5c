import { isatty } from 'node:tty';
import pino, { type Logger } from 'pino';
import { readableLine } from './readable-log.ts';

/**
 * Structured log: one JSON object per line, and on a terminal a readable one. It contains no credentials, because
 * request headers are not logged.
 */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

const STANDARD_ERROR = 2;

/** Writes to standard error. Standard output is for results of commands. */
export function createLog(level: LogLevel): Log {
  const output = pino.destination(STANDARD_ERROR);
  const readable = { write: (json: string) => output.write(readableLine(json)) };
  return pino({ level, base: null }, isatty(STANDARD_ERROR) ? readable : output);
}
