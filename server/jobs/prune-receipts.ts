import type { Services } from '../compose.ts';
import { deleteReceiptsBefore } from '../rebuilds/store.ts';
import { addMilliseconds } from '../runtime/clock.ts';

const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** Deletes receipts of rebuilds that have been live for 30 days: a busy blog makes thousands a day. */
export async function pruneOldReceipts({ db, clock, log }: Services): Promise<void> {
  const pruned = await deleteReceiptsBefore(db, addMilliseconds(clock.now(), -RETENTION_MS));
  log.info({ pruned }, 'old receipts pruned');
}
