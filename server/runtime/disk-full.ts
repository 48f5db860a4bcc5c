/** As SQLite and the file system say it: no room, or none left of a quota. */
const FULL: readonly unknown[] = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'];

/** Whether something failed for want of room on a disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && FULL.includes(error.code)) || isDiskFull(error.cause));
