import type { Db } from '../database/database.ts';

/** Whose key it is, and which part of the request it stands for. */
export interface RecordName {
  readonly accountId: string;
  readonly credential: string;
  readonly key: string;
  /** 0, but in a batch, where each part is a write of its own. */
  readonly part: number;
}

/** What a request under an idempotency key did. */
export interface IdempotencyRecord {
  /** Hash of what was asked. */
  readonly fingerprint: string;
  /** JSON of what came of it: ids and moments, never a text or a secret. */
  readonly result: string;
}

/** Records of a key since a moment. */
export async function findRecords(
  db: Db,
  { accountId, credential, key }: Omit<RecordName, 'part'>,
  since: string,
): Promise<ReadonlyMap<number, IdempotencyRecord>> {
  const rows = await db
    .selectFrom('idempotency_records')
    .select(['part', 'fingerprint', 'result'])
    .where('account_id', '=', accountId)
    .where('credential', '=', credential)
    .where('key', '=', key)
    .where('recorded_at', '>', since)
    .execute();
  return new Map(rows.map(({ part, ...record }) => [part, record]));
}

/**
 * Adds a record, in place of one from before `since`. False where there is a newer one: another process has carried the
 * request out meanwhile.
 */
export async function insertRecord(
  db: Db,
  { accountId, ...name }: RecordName,
  record: IdempotencyRecord & { readonly recordedAt: string },
  since: string,
): Promise<boolean> {
  const { fingerprint, result: kept, recordedAt: recorded_at } = record;
  const result = await db
    .insertInto('idempotency_records')
    .values({ account_id: accountId, ...name, fingerprint, result: kept, recorded_at })
    .onConflict((oc) =>
      oc
        .columns(['account_id', 'credential', 'key', 'part'])
        .doUpdateSet({ fingerprint, result: kept, recorded_at })
        .where('idempotency_records.recorded_at', '<=', since),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function deleteRecordsBefore(db: Db, moment: string): Promise<void> {
  await db.deleteFrom('idempotency_records').where('recorded_at', '<=', moment).execute();
}
