import pino, { type Logger } from 'pino';

/** Structured log: one JSON object per line. It contains no credentials, because request headers are not logged. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Writes to standard error. Standard output is for results of commands. */
export const createLog = (level: LogLevel): Log => pino({ level, base: null }, pino.destination(2));
