import type { Db } from '../database/database.ts';

/** Owner and value of an idempotency key, and a part of the request. */
export interface RecordKey {
  readonly accountId: string;
  readonly credential: string;
  readonly key: string;
  /** 0, except in a batch, where each part is a separate write. */
  readonly part: number;
}

/** What a request with an idempotency key did. */
export interface IdempotencyRecord {
  /** Hash of the request. */
  readonly fingerprint: string;
  /** JSON of the result: ids and timestamps, never texts or secrets. */
  readonly result: string;
}

/** The records of a key after `since`, by part. */
export async function findRecords(
  db: Db,
  { accountId, credential, key }: Omit<RecordKey, 'part'>,
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
 * Adds a record, or replaces one from before `since`. False if there is a newer one, because another process carried
 * the request out in the meantime.
 */
export async function insertRecord(
  db: Db,
  { accountId, ...name }: RecordKey,
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

export async function deleteRecordsBefore(db: Db, before: string): Promise<void> {
  await db.deleteFrom('idempotency_records').where('recorded_at', '<=', before).execute();
}
