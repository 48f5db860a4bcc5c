// Slow: opens the services for each test, and sends more than the allowed 120 requests an hour.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../server/app.ts';
import { createServices } from '../../../server/compose.ts';
import { readConfig } from '../../../server/config/config.ts';

const HOUR = 3_600;

let close: () => Promise<void>;
let origin: string;
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'platen-limit-'));
});
afterEach(async () => {
  await close();
  rmSync(dataDir, { recursive: true });
});

async function start(trustProxy: string): Promise<void> {
  const env = { PLATEN_DATA_DIR: dataDir, PLATEN_TRUST_PROXY: trustProxy, LOG_LEVEL: 'silent' };
  const services = await createServices(readConfig(env));
  const server = createServer(createApp(services)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`;
  close = async () => {
    server.closeAllConnections();
    server.close();
    await services.close();
  };
}

async function ask(path: string, forwardedFor?: string, method = 'GET') {
  const headers = forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor };
  const response = await fetch(`${origin}${path}`, { method, headers });
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(response.headers.get(`x-ratelimit-${name}`)),
  );
  return { status: response.status, limit, remaining, reset, response };
}

describe('the limit of discover', () => {
  it('discover answers an address 120 times an hour, and then says when the next hour begins', async () => {
    await start('');
    for (let n = 1; n <= 120; n += 1) {
      const { status, limit, remaining, reset } = await ask('/discover?q=a');
      expect([status, limit, remaining]).toEqual([200, 120, 120 - n]);
      expect(Math.abs((reset ?? 0) - Date.now() / 1000 - HOUR)).toBeLessThan(60);
    }
    const { status, limit, remaining, response } = await ask('/discover?q=a');
    expect([status, limit, remaining]).toEqual([429, 120, 0]);
    const retryAfter = Number(response.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(HOUR - 60);
    expect(await response.json()).toEqual({
      error: 'rate_limit_exceeded',
      message: expect.stringMatching(/120 requests an hour/),
      retry_after: retryAfter,
      docs: expect.stringMatching(/\/docs\/api\/#rate-limits$/),
    });
  });

  it('refusals, other spellings of the path, and HEAD count against the limit of discover', async () => {
    await start('');
    expect(await ask('/discover')).toMatchObject({ status: 400, limit: 120, remaining: 119 });
    expect(await ask('/Discover/?q=a')).toMatchObject({ status: 200, limit: 120, remaining: 118 });
    expect(await ask('/discover?q=a', undefined, 'HEAD')).toMatchObject({ status: 200, remaining: 117 });
  });

  it('discover has a limit of its own', async () => {
    await start('');
    expect(await ask('/posts')).toMatchObject({ status: 401, limit: 600, remaining: 599 });
    expect(await ask('/discover?q=a')).toMatchObject({ status: 200, limit: 120, remaining: 119 });
    expect(await ask('/posts')).toMatchObject({ status: 401, limit: 600, remaining: 598 });
  });
});

describe('the limit of discover behind a proxy', () => {
  it('forwarded addresses are ignored unless a proxy is trusted', async () => {
    await start('');
    await ask('/discover?q=a', '192.0.2.1');
    expect(await ask('/discover?q=a', '192.0.2.2')).toMatchObject({ remaining: 118 });
  });

  it.each(['1', 'loopback', '127.0.0.1', '127.0.0.0/8, 10.0.0.0/8'])(
    'each address behind a trusted proxy has its own count: PLATEN_TRUST_PROXY=%s',
    async (trustProxy) => {
      await start(trustProxy);
      await ask('/discover?q=a', '192.0.2.1');
      expect(await ask('/discover?q=a', '192.0.2.2')).toMatchObject({ remaining: 119 });
      expect(await ask('/discover?q=a', '192.0.2.1')).toMatchObject({ remaining: 118 });
      // A client's own claim is to the left of the proxy's entry.
      expect(await ask('/discover?q=a', '203.0.113.9, 192.0.2.1')).toMatchObject({ remaining: 117 });
    },
  );

  it('addresses from an untrusted proxy are ignored', async () => {
    await start('10.0.0.0/8');
    await ask('/discover?q=a', '192.0.2.1');
    expect(await ask('/discover?q=a', '192.0.2.2')).toMatchObject({ remaining: 118 });
  });

  it('an IPv6 network has one count', async () => {
    await start('1');
    await ask('/discover?q=a', '2001:db8:1:2::1');
    expect(await ask('/discover?q=a', '2001:db8:1:2:3:4:5:6')).toMatchObject({ remaining: 118 });
    expect(await ask('/discover?q=a', '2001:db8:1:3::1')).toMatchObject({ remaining: 119 });
  });
});
