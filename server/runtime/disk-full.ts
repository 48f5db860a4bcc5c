/** Error codes of SQLite and the file system: disk full, or quota used up. */
const DISK_FULL_CODES: readonly unknown[] = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'];

/** Whether the error, or one of its causes, is a full disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && DISK_FULL_CODES.includes(error.code)) || isDiskFull(error.cause));
