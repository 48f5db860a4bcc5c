import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Packs } from './packs.ts';
import * as schema from './schemas.ts';

export const packsEndpoints = ({ packs }: { readonly packs: Packs }): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/packs/purchase',
    id: 'purchasePack',
    idempotent: true,
    summary: 'Buy a pack of posts',
    description: 'Starter plan and above. A pack never expires and is used after the monthly quota.',
    scope: 'packs:write',
    body: schema.purchaseBody,
    status: 200,
    response: schema.purchasedPack,
    async handle({ caller, body, withIdempotency }) {
      const { balance } = await withIdempotency(null, (once) =>
        once(() => packs.purchase(caller, body.pack_type)),
      );
      return schema.presentPurchase(body.pack_type, balance);
    },
  }),
  endpoint({
    method: 'get',
    path: '/packs/balance',
    id: 'getPackBalance',
    summary: 'Get the remaining posts of the packs, in the order of their use',
    description: 'Starter plan and above.',
    scope: 'packs:read',
    status: 200,
    response: schema.packBalance,
    handle: async ({ caller }) => schema.presentBalance(await packs.balance(caller)),
  }),
];
