import pino, { type Logger } from 'pino';

/** Structured logging: one JSON object a line. Credentials never reach it: no request header is logged. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Writes to standard error, so that standard output is for what a person asked to see. */
export const createLog = (level: LogLevel): Log => pino({ level, base: null }, pino.destination(2));
