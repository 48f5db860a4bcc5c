import type { Db } from './database.ts';

/** What is known of a request that carried an idempotency key. */
export interface KeptAnswer {
  /** Hash of what was asked. */
  readonly fingerprint: string;
  readonly askedAt: string;
  /** JSON of what was answered; null while it is not, or if the process died meanwhile. */
  readonly answer: string | null;
}

export async function findAnswer(db: Db, accountId: string, key: string): Promise<KeptAnswer | null> {
  const row = await db
    .selectFrom('answers')
    .select(['fingerprint', 'asked_at as askedAt', 'answer'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row ?? null;
}

/** Notes that a request is being answered, in place of what the key stood for before. */
export async function noteQuestion(
  db: Db,
  accountId: string,
  key: string,
  { fingerprint, askedAt }: Omit<KeptAnswer, 'answer'>,
): Promise<void> {
  const row = { fingerprint, asked_at: askedAt, answer: null };
  await db
    .insertInto('answers')
    .values({ account_id: accountId, key, ...row })
    .onConflict((oc) => oc.columns(['account_id', 'key']).doUpdateSet(row))
    .execute();
}

export async function keepAnswer(db: Db, accountId: string, key: string, answer: string): Promise<void> {
  await db
    .updateTable('answers')
    .set({ answer })
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .execute();
}

export async function forgetAnswer(db: Db, accountId: string, key: string): Promise<void> {
  await db.deleteFrom('answers').where('account_id', '=', accountId).where('key', '=', key).execute();
}

export async function forgetAnswersBefore(db: Db, moment: string): Promise<void> {
  await db.deleteFrom('answers').where('asked_at', '<', moment).execute();
}
