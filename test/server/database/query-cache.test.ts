import { afterEach, beforeEach, expect, it } from 'vitest';
import { insertAccount } from '../../../server/accounts/store.ts';
import type { Db } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { cachedUntilChange } from '../../../server/database/query-cache.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let db: Db;
let asked: string[];
beforeEach(async () => {
  workshop = await openWorkshop();
  db = workshop.services.db;
  asked = [];
  for (const id of ['ada', 'bob']) {
    const createdAt = workshop.clock.now();
    await insertAccount(db, { id, email: `${id}@example.org`, name: id, tier: 'free', createdAt });
  }
});
afterEach(() => workshop.close());

const named = cachedUntilChange((from, id: string) => {
  asked.push(id);
  return from.selectFrom('accounts').select('name').where('id', '=', id).execute();
});
const nameOf = async (from: Db, id: string) => (await named(from, id))[0]?.name;
const rename = (from: Db, name: string) =>
  from.updateTable('accounts').set({ name }).where('id', '=', 'ada').execute();

it('a cached query runs once for each value as long as nothing changes', async () => {
  const names = [await nameOf(db, 'ada'), await nameOf(db, 'ada'), await nameOf(db, 'bob')];
  expect([...names, await nameOf(db, 'ada')]).toEqual(['ada', 'ada', 'bob', 'ada']);
  expect(asked).toEqual(['ada', 'bob']);
});

it('a cached query sees writes of its own connection at once', async () => {
  await nameOf(db, 'ada');
  await rename(db, 'Ada');
  expect(await nameOf(db, 'ada')).toBe('Ada');
  await db.transaction().execute((tx) => rename(tx, 'Lovelace'));
  expect(await nameOf(db, 'ada')).toBe('Lovelace');
});

it('a cached query sees writes of another connection from the next event-loop tick', async () => {
  const other = openDatabase({
    file: workshop.config.databaseFile,
    transactions: 'immediate',
    durable: false,
  });
  await nameOf(db, 'ada');
  await rename(other, 'Ada');
  await other.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await nameOf(db, 'ada')).toBe('Ada');
});

it('a cached query reads in the given transaction, and caches nothing of one that is rolled back', async () => {
  const undone = db.transaction().execute(async (tx) => {
    await rename(tx, 'Ada');
    throw new Error(await nameOf(tx, 'ada'));
  });
  await expect(undone).rejects.toThrow('Ada');
  expect(await nameOf(db, 'ada')).toBe('ada');
});

it('a cached query caches no failed result', async () => {
  const failing = cachedUntilChange(async () => {
    asked.push('failing');
    throw new Error('no answer');
  });
  await expect(failing(db)).rejects.toThrow('no answer');
  await expect(failing(db)).rejects.toThrow('no answer');
  expect(asked).toEqual(['failing', 'failing']);
});
