// Slow: sends bodies of several megabytes.
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cpuTime } from '../../support/cpu.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
  // So that the work of the start is over before time is measured.
  await platen.call('POST', '/markdown', { content: 'x' });
});
afterAll(() => platen.close());

const MIB = 1_048_576;

it.each([
  [
    'brackets',
    `{"title":"a","content":"x","a":${'['.repeat(3 * MIB)}${']'.repeat(3 * MIB)}}`,
    /nested deeper/,
  ],
  ['empty objects', `{"a":[${'{},'.repeat(2 * MIB)}{}]}`, /at most 50000 fields/],
])(
  'six megabytes of %s are refused before they are parsed, so they delay no other request',
  async (_, raw, message) => {
    const headers = { 'Content-Type': 'application/json' };
    const time = await cpuTime(async () => {
      expectRefusal(await platen.call('POST', '/posts', undefined, { raw, headers }), 400, message);
    });
    // Parsing these bodies would take at least three seconds.
    expect(time).toBeLessThan(2_000);
  },
);

it('an account may send only so many bytes of bodies at once, and other accounts are not affected', async () => {
  const { key } = await platen.account({ tier: 'scale' });
  const other = await platen.account({ tier: 'scale' });
  const slow = Array.from({ length: 5 }, () => {
    const req = request(`${platen.origin}/v1/markdown`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Content-Length': 6 * MIB,
      },
    });
    req.on('error', () => {}).write('{');
    return req;
  });
  const render = (by: string) =>
    platen.call('POST', '/markdown', { content: 'x'.repeat(3 * MIB) }, { key: by });
  await expect.poll(async () => (await render(key)).status, { timeout: 20_000 }).toBe(429);
  expectRefusal(await render(key), 429, /this account has too many large requests/, ['retry_after']);
  expect((await render(other.key)).status).toBe(400);
  for (const req of slow) req.destroy();
  await expect.poll(async () => (await render(key)).status, { timeout: 20_000 }).toBe(400);
});

it('a post beyond the quota is refused before it is rendered', async () => {
  const { key } = await platen.account({ tier: 'free' });
  await platen.call('POST', '/blogs', { slug: 'full', name: 'Full' }, { key });
  for (let n = 0; n < 10; n += 1)
    expect((await platen.call('POST', '/posts', { title: `P ${n}`, content: 'x' }, { key })).status).toBe(
      201,
    );
  // A source that the renderer would refuse, had it been reached.
  const content = `${'a\n\n'.repeat(200_000)}`;
  expectRefusal(await platen.call('POST', '/posts', { title: 'Q', content }, { key }), 403, /10 posts/, [
    'upgrade_url',
  ]);
});
