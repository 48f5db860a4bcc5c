import { z } from 'zod';
import { tierNames } from '../tiers/tier.ts';
import { timestamp } from '../wire/text.ts';
import type { Account } from './account.ts';

export const profile = z
  .object({
    id: z.uuid(),
    email: z.string().meta({ example: 'ada@example.org' }),
    name: z.string().meta({ example: 'Ada' }),
    plan: z.enum(tierNames).meta({ example: 'creator' }),
    created_at: timestamp,
  })
  .meta({ id: 'Profile' });

export const presentProfile = (account: Account): z.infer<typeof profile> => ({
  id: account.id,
  email: account.email,
  name: account.name,
  plan: account.tier,
  created_at: account.createdAt,
});
