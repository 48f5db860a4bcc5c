import type { Services } from '../compose.ts';

/** Drops what was logged more than 90 days ago. */
export const pruneAuditLog = ({ auditLog }: Services): Promise<void> => auditLog.prune();
