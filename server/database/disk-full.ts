import { isDatabaseFull } from './dialect.ts';

/** Error codes of the file system: disk full, or quota used up. */
const DISK_FULL_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** Whether the error, or one of its causes, is a full disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (isDatabaseFull(error) ||
    ('code' in error && DISK_FULL_CODES.includes(error.code)) ||
    isDiskFull(error.cause));
