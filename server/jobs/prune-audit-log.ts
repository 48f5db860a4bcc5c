import type { Services } from '../compose.ts';

/** Deletes audit log entries older than 90 days. */
export const pruneAuditLog = ({ auditLog }: Services): Promise<void> => auditLog.prune();
