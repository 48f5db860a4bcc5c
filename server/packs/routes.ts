import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Packs } from './packs.ts';
import * as schema from './schemas.ts';

export const packsEndpoints = ({ packs }: { readonly packs: Packs }): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/packs/purchase',
    id: 'purchasePack',
    once: true,
    summary: 'Buy a pack of posts',
    description: 'From the Starter plan on. A pack never expires, and is used after the quota of the month.',
    scope: 'packs:write',
    body: schema.purchaseBody,
    status: 200,
    response: schema.purchasedPack,
    async handle({ caller, body, onceOf }) {
      const { balance } = await onceOf(null, (once) => once(() => packs.purchase(caller, body.pack_type)));
      return schema.presentPurchase(body.pack_type, balance);
    },
  }),
  endpoint({
    method: 'get',
    path: '/packs/balance',
    id: 'getPackBalance',
    summary: 'Get what is left of the packs, in the order in which they are used',
    description: 'From the Starter plan on.',
    scope: 'packs:read',
    status: 200,
    response: schema.packBalance,
    handle: async ({ caller }) => schema.presentBalance(await packs.balance(caller)),
  }),
];
