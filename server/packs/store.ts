import type { Db } from '../database/database.ts';
import type { Pack } from './pack.ts';

export async function insertPack(db: Db, accountId: string, pack: Pack): Promise<void> {
  const { id, balance, purchasedAt } = pack;
  await db
    .insertInto('packs')
    .values({ id, account_id: accountId, balance, purchased_at: purchasedAt })
    .execute();
}

/** An account's packs with posts left, oldest first, which is the order in which they are used up. */
export async function listPacks(db: Db, accountId: string): Promise<Pack[]> {
  return packs(db, accountId).select(['id', 'balance', 'purchased_at as purchasedAt']).execute();
}

/** Takes one post out of an account's oldest pack. False if no pack has one left. */
export async function takeFromOldestPack(db: Db, accountId: string): Promise<boolean> {
  const taken = await db
    .updateTable('packs')
    .set((eb) => ({ balance: eb('balance', '-', 1) }))
    .where('id', '=', packs(db, accountId).select('id').limit(1))
    .where('balance', '>', 0)
    .executeTakeFirst();
  return taken.numUpdatedRows > 0n;
}

const packs = (db: Db, accountId: string) =>
  db
    .selectFrom('packs')
    .where('account_id', '=', accountId)
    .where('balance', '>', 0)
    .orderBy('purchased_at')
    .orderBy('id');
