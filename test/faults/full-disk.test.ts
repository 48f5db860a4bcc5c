// Slow: starts a whole server, and fills its database up to the limit.
import { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTestPlaten, type TestPlaten } from '../support/platen.ts';

/** Page limit of the database, far beyond what a test needs. */
const MANY = 1_000_000;

let platen: TestPlaten;
beforeEach(async () => {
  platen = await startTestPlaten({ LOG_LEVEL: 'silent' });
});
afterEach(() => platen.close());

const allow = (pages: number) =>
  platen.services.db.executeQuery(CompiledQuery.raw(`pragma max_page_count = ${pages}`));
const post = (title: string) => platen.call('POST', '/posts', { title, content: 'x '.repeat(10_000) });
const titles = async () =>
  (await platen.services.db.selectFrom('posts').select('title').execute()).map(({ title }) => title);

it('a write on a full disk is refused as a whole and logged, and works again once there is room', async () => {
  const logged = vi.spyOn(platen.services.log, 'error');
  const before = await titles();
  // SQLite never sets the limit below the file's current size.
  await allow(1);
  const refused: string[] = [];
  let answer = await post('Draft 0');
  for (let n = 1; n < 200 && answer.status === 201; n++) answer = await post(`Draft ${n}`);
  for (let n = 0; n < 3; n++) {
    refused.push(`Refused ${n}`);
    answer = await post(`Refused ${n}`);
    expect([answer.status, answer.json]).toEqual([
      503,
      {
        error: 'service_unavailable',
        message: expect.stringContaining('cannot store anything'),
        retry_after: 60,
      },
    ]);
    expect(answer.headers.get('Retry-After')).toBe('60');
  }
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ dataDir: platen.dataDir }),
    'the disk of the data folder is full',
  );
  expect((await platen.call('GET', '/posts')).status).toBe(200);
  await allow(MANY);
  const created = await platen.call(
    'POST',
    '/posts',
    { title: 'Room', content: 'x', status: 'published' },
    {
      headers: { Prefer: 'wait=60' },
    },
  );
  expect([created.status, created.headers.get('Preference-Applied')]).toEqual([201, 'wait=60']);
  const after = await titles();
  expect(after).toEqual(expect.arrayContaining([...before, 'Room']));
  expect(after.filter((title) => refused.includes(title))).toEqual([]);
}, 180_000);
