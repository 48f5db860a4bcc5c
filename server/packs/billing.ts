import type { PackType } from './pack.ts';

/** Whoever takes the money for Platen. */
export interface Billing {
  /** Resolves when a pack is paid for, and rejects where it is not. */
  chargePack(accountId: string, packType: PackType): Promise<void>;
  /** Ends everything that an account pays for regularly, at once, as when it is deleted. May be repeated. */
  cancelSubscriptions(accountId: string): Promise<void>;
}

/** Where no provider of payments is configured, nothing is charged, and there are no subscriptions to cancel. */
export const freeOfCharge: Billing = {
  chargePack: async () => {},
  cancelSubscriptions: async () => {},
};
