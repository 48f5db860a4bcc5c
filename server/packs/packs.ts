import { v7 as uuid } from 'uuid';
import type { Caller } from '../access/caller.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { logAction } from '../journal/audit-log.ts';
import { recordResult } from '../journal/idempotency.ts';
import type { Clock } from '../runtime/clock.ts';
import { assertIncludes } from '../tiers/feature.ts';
import type { Billing } from './billing.ts';
import { type Pack, type PackType, packSizes } from './pack.ts';
import * as store from './store.ts';

/** Prepaid posts of an account. Both methods throw `forbidden` if the tier does not include packs. */
export interface Packs {
  /** Buys a pack. Returns the new number of posts in all packs of the account. */
  purchase(caller: Caller, packType: PackType): Promise<{ balance: number }>;
  /** The packs that are not used up, in order of use, and their total. */
  balance(caller: Caller): Promise<{ packs: Pack[]; total: number }>;
}

export interface PacksDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly billing: Billing;
  readonly upgradeUrl: string;
}

export function createPacks({ db, clock, billing, upgradeUrl }: PacksDependencies): Packs {
  async function balance(connection: Db, accountId: string): Promise<{ packs: Pack[]; total: number }> {
    const packs = await store.listPacks(connection, accountId);
    return { packs, total: packs.reduce((sum, pack) => sum + pack.balance, 0) };
  }

  return {
    async purchase({ accountId, tier }, packType) {
      assertIncludes(tier, 'packs', upgradeUrl);
      await billing.chargePack(accountId, packType);
      const pack = { id: uuid(), balance: packSizes[packType], purchasedAt: clock.now() };
      return inTransaction(db, async (tx) => {
        await store.insertPack(tx, accountId, pack);
        const bought = { balance: (await balance(tx, accountId)).total };
        await recordResult(tx, bought);
        await logAction(tx, { accountId, id: pack.id, name: packType });
        return bought;
      });
    },

    async balance({ accountId, tier }) {
      assertIncludes(tier, 'packs', upgradeUrl);
      return balance(db, accountId);
    },
  };
}
