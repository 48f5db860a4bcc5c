import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

// Slow: starts whole servers, with an identity provider and without.

const AUDIENCE = 'the-dashboard';

/** A fake identity provider: signing keys by name, and a server that publishes the public halves of some. */
interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly pair: Awaited<ReturnType<typeof generateKeyPair>>;
}

let shown: SigningKey[] = [];
let answers: 'keys' | 'error' | 'nonsense' = 'keys';
let fetches = 0;
let provider: Server;
let issuer: string;
let platen: TestPlaten;
let rsa: SigningKey;
let ec: SigningKey;
let accountId: string;

beforeAll(async () => {
  [rsa, ec] = await Promise.all([newKey('rsa-1', 'RS256'), newKey('ec-1', 'ES256')]);
  shown = [rsa, ec];
  provider = createServer(async (req, res) => {
    fetches += 1;
    if (answers === 'error' || req.url !== '/realm/.well-known/jwks.json') return res.writeHead(500).end();
    if (answers === 'nonsense') return res.end('<html>');
    const keys = await Promise.all(
      shown.map(async ({ kid, alg, pair }) => ({
        ...(await exportJWK(pair.publicKey)),
        kid,
        alg,
        use: 'sig',
      })),
    );
    res.end(JSON.stringify({ keys }));
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  issuer = `http://127.0.0.1:${portOf(provider)}/realm`;
  platen = await startTestPlaten({ PLATEN_SESSION_ISSUER: issuer, PLATEN_SESSION_AUDIENCE: AUDIENCE });
  const request = { email: 'ada@example.org', name: 'Ada', tier: 'creator', subject: 'user|ada' } as const;
  ({ accountId } = await platen.services.accounts.create(request));
});
afterAll(async () => {
  await platen.close();
  provider.close();
});
afterEach(() => {
  vi.useRealTimers();
  answers = 'keys';
  shown = [rsa, ec];
});

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

const newKey = async (kid: string, alg: string): Promise<SigningKey> => ({
  kid,
  alg,
  pair: await generateKeyPair(alg, { extractable: true }),
});

const now = () => Math.floor(Date.now() / 1000);

/** A signed token as the provider issues it, with changed claims; null removes a claim. */
function tokenOf(
  claims: Readonly<Record<string, unknown>> = {},
  { key = rsa, header = {} }: { key?: SigningKey; header?: object } = {},
): Promise<string> {
  return new SignJWT(payloadOf(claims))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.pair.privateKey);
}

function payloadOf(claims: Readonly<Record<string, unknown>>): JWTPayload {
  const all = { sub: 'user|ada', iss: issuer, aud: AUDIENCE, iat: now(), exp: now() + 3_600, ...claims };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

const ask = (token: string, path = '/account/profile') => platen.call('GET', path, undefined, { key: token });
const expectTurnedAway = async (token: string, message = /session/) => {
  const answer = await ask(token);
  expectRefusal(answer, 401, message);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
};

describe('a session token of the configured issuer', () => {
  it('a session token opens the account linked to its subject', async () => {
    for (const key of [rsa, ec]) {
      const { status, json } = await ask(await tokenOf({}, { key }));
      expect(status).toBe(200);
      expect(json).toEqual({
        id: accountId,
        email: 'ada@example.org',
        name: 'Ada',
        plan: 'creator',
        created_at: expect.any(String),
      });
    }
    expect((await ask(await tokenOf({ aud: ['another', AUDIENCE] }))).status).toBe(200);
  });

  it('a session may do everything in every blog of its account', async () => {
    const key = await tokenOf();
    const call = (method: string, path: string, body?: unknown, headers = {}) =>
      platen.call(method, path, body, { key, headers });
    const oldest = (await call('POST', '/blogs', { slug: 'ada-1', name: '1' })).json.id;
    const newer = (await call('POST', '/blogs', { slug: 'ada-2', name: '2' })).json.id;
    await call('POST', '/posts', { title: 'In the oldest', content: 'x' });
    await call('POST', '/posts', { title: 'In the newer', content: 'x' }, { 'X-Blog-Id': newer });
    const titles = async (headers = {}) =>
      (await call('GET', '/posts', undefined, headers)).json.data.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles()).toEqual(['In the oldest']);
    expect(await titles({ 'X-Blog-Id': oldest })).toEqual(['In the oldest']);
    expect(await titles({ 'X-Blog-Id': newer })).toEqual(['In the newer']);
    const minted = await call('POST', '/account/tokens', { name: 'From the dashboard' });
    expect(minted).toMatchObject({ status: 201, json: { scopes: ['*'], blog_id: null } });
  });

  it('requests of a session count against its account', async () => {
    const left = async (token: string) => Number((await ask(token)).headers.get('x-ratelimit-remaining'));
    const { json } = await platen.call('POST', '/account/tokens', { name: 'N' }, { key: await tokenOf() });
    expect(await left(json.key)).toBe((await left(await tokenOf())) + 1);
  });

  it('a session of a suspended account is refused', async () => {
    await platen.services.accounts.suspend('ada@example.org');
    expectRefusal(await ask(await tokenOf()), 403, /suspended/);
    await platen.services.accounts.reinstate('ada@example.org');
    expect((await ask(await tokenOf())).status).toBe(200);
  });
});

describe('a session token that is refused', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['that has expired', { exp: 1_600_000_000 }, /^the session has expired$/],
    ['that never expires', { exp: null }, /"exp"/],
    ['that is not valid yet', { nbf: 4_000_000_000 }, /"nbf"/],
    ['from another issuer', { iss: 'https://elsewhere.example' }, /"iss"/],
    ['without an issuer', { iss: null }, /"iss"/],
    ['for another audience', { aud: 'another' }, /"aud"/],
    ['without an audience', { aud: null }, /"aud"/],
    ['without a subject', { sub: null }, /"sub"/],
    ['for a subject without an account', { sub: 'user|eve' }, /no account is linked/],
    [
      'with only the email of an account',
      { sub: 'user|eve', email: 'ada@example.org' },
      /no account is linked/,
    ],
    ['whose subject is not a string', { sub: { $ne: null } }, /./],
  ])('a session token is refused: %s', async (_name, claims, message) => {
    await expectTurnedAway(await tokenOf(claims), message);
  });

  it('an unsigned session token is refused', async () => {
    const token = new UnsecuredJWT(payloadOf({})).encode();
    await expectTurnedAway(token);
    await expectTurnedAway(token.replace(/^[^.]+/, base64({ alg: 'None' })));
  });

  it('a session token signed with the public key as a shared secret is refused', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(rsa.pair.publicKey));
    for (const header of [{ alg: 'HS256' }, { alg: 'HS256', kid: rsa.kid }]) {
      await expectTurnedAway(await new SignJWT(payloadOf({})).setProtectedHeader(header).sign(secret));
    }
  });

  it('a session token signed by another key is refused', async () => {
    const forged = await newKey(rsa.kid, 'RS256');
    await expectTurnedAway(await tokenOf({}, { key: forged }), /signature/);
    const jwk = await exportJWK(forged.pair.publicKey);
    await expectTurnedAway(await tokenOf({}, { key: forged, header: { jwk } }), /signature/);
    const jku = `${issuer}/elsewhere`;
    await expectTurnedAway(await tokenOf({}, { key: forged, header: { jku } }), /signature/);
  });

  it('a session token that was changed after signing is refused', async () => {
    const [header, , signature] = (await tokenOf()).split('.');
    const payload = base64(payloadOf({ sub: 'user|somebody-else' }));
    await expectTurnedAway(`${header}.${payload}.${signature}`, /signature/);
  });

  it.each(['a.b.c', '..', 'eyJ.eyJ.', '.', `${'x'.repeat(7_000)}.${'y'.repeat(5_000)}.z`])(
    'a malformed session token is refused: %.20s',
    (text) => expectTurnedAway(text),
  );

  it('a session token is refused together with an API key', async () => {
    expectRefusal(await ask(`pk_live_${'0'.repeat(48)}`), 401, /API key is unknown/);
  });

  it('a session token longer than the header limit is refused by the HTTP server', async () => {
    const answer = await ask(await tokenOf({ groups: 'g'.repeat(100_000) }));
    expect(answer.status).toBe(431);
    expect((await ask(await tokenOf({ groups: 'g'.repeat(8_000) }))).status).toBe(200);
  });
});

describe('the issuer’s keys', () => {
  const pass = (seconds: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
  };

  it('the issuer’s keys are cached, and fetched again at a limited rate for an unknown key id', async () => {
    const next = await newKey('rsa-2', 'RS256');
    // The keys are fetched here; the clock stands still from here on.
    pass(31);
    await expectTurnedAway(await tokenOf({}, { key: next }));
    const before = fetches;
    for (let n = 0; n < 5; n += 1) {
      await expectTurnedAway(await tokenOf({}, { key: next }));
      expect((await ask(await tokenOf())).status).toBe(200);
    }
    expect(fetches).toBe(before);

    pass(31);
    shown = [next];
    expect((await ask(await tokenOf({}, { key: next }))).status).toBe(200);
    expect(fetches).toBe(before + 1);
    await expectTurnedAway(await tokenOf());
    expect(fetches).toBe(before + 1);
  });

  it.each(['error', 'nonsense'] as const)(
    'requests fail with 503 while the issuer’s keys cannot be fetched (%s)',
    async (way) => {
      // Beyond the lifetime of cached keys.
      pass(way === 'error' ? 1_000 : 2_000);
      answers = way;
      const answer = await ask(await tokenOf());
      expect(answer).toMatchObject({
        status: 503,
        json: {
          error: 'service_unavailable',
          message: expect.stringMatching(/identity provider/),
          retry_after: 5,
        },
      });
      expect(answer.headers.get('retry-after')).toBe('5');
      expect((await platen.call('GET', '/blogs')).status).toBe(200);
      answers = 'keys';
      expect((await ask(await tokenOf())).status).toBe(200);
    },
  );
});

it('every session token is refused if no issuer is configured', async () => {
  const other = await startTestPlaten();
  const answer = await other.call('GET', '/blogs', undefined, { key: await tokenOf() });
  expectRefusal(answer, 401, /API key/);
  await other.close();
});

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
