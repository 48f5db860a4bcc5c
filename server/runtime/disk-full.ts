/** Error codes of SQLite and the file system: disk full, or quota used up. */
const FULL: readonly unknown[] = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'];

/** Whether the error, or one of its causes, is a full disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && FULL.includes(error.code)) || isDiskFull(error.cause));
