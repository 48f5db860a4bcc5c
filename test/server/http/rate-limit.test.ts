// Slow: starts a whole server, and sends more requests than an hour allows.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TierName } from '../../../server/tiers/tier.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { type Answer, startTestPlaten, type TestPlaten } from '../../support/platen.ts';

const HOUR = 3_600;

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

const ask = (key: string, path = '/blogs', method = 'GET') => platen.call(method, path, undefined, { key });
const numbers = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`) ?? 'missing';
    expect(value).toMatch(/^\d+$/);
    return Number(value);
  });

it.each<[TierName, number]>([
  ['free', 60],
  ['starter', 300],
  ['creator', 1_000],
  ['scale', 10_000],
  ['enterprise', 1_000_000],
])('the %s plan has %i requests an hour, and every response counts them', async (tier, requests) => {
  const { key } = await platen.account({ tier });
  for (const used of [1, 2]) {
    const [limit, remaining, reset] = numbers(await ask(key));
    expect([limit, remaining]).toEqual([requests, requests - used]);
    const seconds = (reset ?? 0) - Date.now() / 1000;
    expect(seconds).toBeGreaterThan(HOUR - 60);
    expect(seconds).toBeLessThanOrEqual(HOUR + 1);
  }
});

it('an account over its limit is told when the next hour begins, for all of its keys', async () => {
  const { accountId, key } = await platen.account({ tier: 'free' });
  const request = { accountId, blogId: null, name: 'Second', scopes: ['*'], expiresAt: null } as const;
  const { secret: second } = await platen.services.credentials.issue(request);
  for (let n = 1; n <= 60; n += 1) expect((await ask(n % 2 ? key : second)).status).toBe(200);

  for (const used of [key, second, key]) {
    const asked = Date.now() / 1000;
    const answer = await ask(used);
    const answered = Date.now() / 1000;
    expectRefusal(answer, 429, /free plan .*60 requests/, ['retry_after']);
    const [limit, remaining, reset] = numbers(answer);
    expect([limit, remaining]).toEqual([60, 0]);
    const { retry_after } = answer.json;
    expect(Number.isInteger(retry_after) && retry_after > HOUR - 60 && retry_after <= HOUR).toBe(true);
    expect(answer.headers.get('retry-after')).toBe(String(retry_after));
    expect(reset).toBeGreaterThan(asked + retry_after - 2);
    expect(reset).toBeLessThan(answered + retry_after + 2);
  }
  const other = await platen.account({ tier: 'free' });
  expect((await ask(other.key)).status).toBe(200);
});

it('a request over the limit writes nothing', async () => {
  const { key } = await platen.account({ tier: 'free' });
  const create = () => platen.call('POST', '/blogs', { slug: 'too-late', name: 'N' }, { key });
  await Promise.all(Array.from({ length: 60 }, () => ask(key)));
  expectRefusal(await create(), 429, /60 requests/, ['retry_after']);
  expect((await platen.read('too-late', '/')).status).toBe(404);
});

it.each([
  ['requests without the needed scope', 'GET', '/posts', 403],
  ['requests for missing resources', 'GET', '/rebuilds/none', 404],
  ['malformed requests', 'POST', '/blogs', 400],
  ['requests for unknown paths', 'GET', '/nothing-here', 404],
  ['requests with methods that are not allowed', 'PATCH', '/blogs', 405],
])('the remaining requests are reported with %s too', async (_name, method, path, status) => {
  const scopes = status === 403 ? (['blogs:read'] as const) : (['*'] as const);
  const { key } = await platen.account({ tier: 'starter', scopes });
  const body = method === 'GET' ? undefined : {};
  const answer = await platen.call(method, path, body, { key });
  expect(answer.status).toBe(status);
  expect(numbers(answer).slice(0, 2)).toEqual([300, 299]);
});
