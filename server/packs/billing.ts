import type { PackType } from './pack.ts';

/** The payment provider. */
export interface Billing {
  /** Resolves when the pack is paid for. Rejects if the payment fails. */
  chargePack(accountId: string, packType: PackType): Promise<void>;
  /** Cancels all subscriptions of an account at once, as when it is deleted. Idempotent. */
  cancelSubscriptions(accountId: string): Promise<void>;
}

/** Used without a payment provider: charges nothing, and has no subscriptions to cancel. */
export const noBilling: Billing = {
  chargePack: async () => {},
  cancelSubscriptions: async () => {},
};
