import { z } from 'zod';
import { timestamp } from '../wire/text.ts';
import { type Pack, type PackType, packTypes } from './pack.ts';

const packType = z.enum(packTypes);
const count = z.int().min(0).meta({ example: 100 });

export const purchaseBody = z.object({ pack_type: packType }).meta({ id: 'PurchasePack' });

export const purchasedPack = z
  .object({
    purchased: z.literal(true),
    pack_type: packType,
    balance: count.describe('Posts left in all packs.'),
  })
  .meta({ id: 'PurchasedPack' });

export const packBalance = z
  .object({
    total_remaining: count,
    packs: z.array(z.object({ id: z.uuid(), balance: count, purchased_at: timestamp }).meta({ id: 'Pack' })),
  })
  .meta({ id: 'PackBalance' });

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
