import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertAccount } from '../../../server/accounts/store.ts';
import type { Db } from '../../../server/database/database.ts';
import { prepared } from '../../../server/database/prepared-query.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let db: Db;
beforeAll(async () => {
  workshop = await openWorkshop();
  db = workshop.services.db;
  for (const [id, name] of Object.entries({ ada: 'Ada', bob: 'Bob', eve: 'Eve' })) {
    const createdAt = workshop.clock.now();
    await insertAccount(db, { id, email: `${id}@example.org`, name, tier: 'free', createdAt });
  }
});
afterAll(() => workshop.close());

let built = 0;
const between = prepared((db, first: string, last: string) => {
  built += 1;
  return db
    .selectFrom('accounts')
    .select((eb) => ['name', eb.val(first).as('first')])
    .where('id', '>=', first)
    .where('id', '<=', last)
    .where('id', 'in', ['ada', 'bob', 'eve'])
    .orderBy('id');
});

it('a prepared query runs with the values of each call, in any position, and is built once', async () => {
  const [one, other] = await Promise.all([between(db, 'ada', 'bob'), between(db, 'bob', 'eve')]);
  expect(one).toEqual(['Ada', 'Bob'].map((name) => ({ name, first: 'ada' })));
  expect(other).toEqual(['Bob', 'Eve'].map((name) => ({ name, first: 'bob' })));
  expect(built).toBe(1);
});

it('a prepared query runs in the given transaction', async () => {
  const seen = db.transaction().execute(async (tx) => {
    await tx.updateTable('accounts').set({ name: 'Anna' }).where('id', '=', 'ada').execute();
    const [row] = await between(tx, 'ada', 'ada');
    throw new Error(row?.name);
  });
  await expect(seen).rejects.toThrow('Anna');
  expect(await between(db, 'ada', 'ada')).toMatchObject([{ name: 'Ada' }]);
});
