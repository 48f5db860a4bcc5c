import { v7 as uuid } from 'uuid';
import type { Clock } from '../clock.ts';
import { assertIncludes } from '../domain/feature.ts';
import { type Pack, type PackType, postsIn } from '../domain/pack.ts';
import { type Db, inTransaction } from '../store/database.ts';
import * as store from '../store/packs.ts';
import { logAct } from './audit-log.ts';
import type { Billing } from './billing.ts';
import type { Caller } from './credentials.ts';
import { record } from './idempotency.ts';

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
  async function balance(of: Db, accountId: string): Promise<{ packs: Pack[]; total: number }> {
    const packs = await store.listPacks(of, accountId);
    return { packs, total: packs.reduce((sum, pack) => sum + pack.balance, 0) };
  }

  return {
    async purchase({ accountId, tier }, packType) {
      assertIncludes(tier, 'packs', upgradeUrl);
      await billing.chargePack(accountId, packType);
      const pack = { id: uuid(), balance: postsIn[packType], purchasedAt: clock.now() };
      return inTransaction(db, async (tx) => {
        await store.insertPack(tx, accountId, pack);
        const bought = { balance: (await balance(tx, accountId)).total };
        await record(tx, bought);
        await logAct(tx, { accountId, id: pack.id, name: packType });
        return bought;
      });
    },

    async balance({ accountId, tier }) {
      assertIncludes(tier, 'packs', upgradeUrl);
      return balance(db, accountId);
    },
  };
}
