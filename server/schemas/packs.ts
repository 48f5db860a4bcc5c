import { z } from 'zod';
import { type Pack, type PackType, packTypes } from '../domain/pack.ts';
import { moment } from './text.ts';

const packType = z.enum(packTypes);

export const purchaseBody = z.object({ pack_type: packType });

export const purchasedPack = z.object({
  purchased: z.literal(true),
  pack_type: packType,
  /** Posts that are left in all packs. */
  balance: z.int(),
});

export const packBalance = z.object({
  total_remaining: z.int(),
  packs: z.array(z.object({ id: z.uuid(), balance: z.int(), purchased_at: moment })),
});

export const presentPurchase = (packType: PackType, balance: number): z.infer<typeof purchasedPack> => ({
  purchased: true,
  pack_type: packType,
  balance,
});

export const presentBalance = (held: {
  packs: readonly Pack[];
  total: number;
}): z.infer<typeof packBalance> => ({
  total_remaining: held.total,
  packs: held.packs.map(({ id, balance, purchasedAt }) => ({ id, balance, purchased_at: purchasedAt })),
});
