import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import type { Scope } from '../../server/access/scope.ts';
import { insertAccount } from '../../server/accounts/store.ts';
import type { Services } from '../../server/compose.ts';
import { readConfig } from '../../server/config/config.ts';
import { startPlaten } from '../../server/platen.ts';
import type { TierName } from '../../server/tiers/tier.ts';
import { contractOf } from './contract.ts';
import { freePort } from './port.ts';

/** A complete response of the API or of a blog's host. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly json: any;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A raw body instead of JSON. */
  readonly raw?: string | Uint8Array;
}

/** A whole Platen of a test's own: the real app on a real port, a temporary folder, and the builder's thread. */
export interface TestPlaten {
  readonly services: Services;
  readonly origin: string;
  readonly dataDir: string;
  /** Key of the owner (tier enterprise, one blog: `starter`). */
  readonly key: string;
  /**
   * Calls the API (`/posts`, below `/v1`) with the owner's key or another one. Throws if the response violates the
   * OpenAPI document.
   */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  /** Requests a path of a blog's host, byte for byte as given. */
  read(blogSlug: string, path: string, options?: ReadOptions): Promise<Answer>;
  /** Creates an account with a key. */
  account(options: {
    tier: TierName;
    scopes?: readonly Scope[];
  }): Promise<{ accountId: string; key: string }>;
  close(): Promise<void>;
}

export interface ReadOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Host header, instead of the blog's. */
  readonly host?: string;
}

/** Starts a Platen with these variables and the usual ones of tests. */
export async function startTestPlaten(env: Readonly<Record<string, string>> = {}): Promise<TestPlaten> {
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT);
  const dataDir = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const config = readConfig({ PORT: String(port), PLATEN_DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env });
  const platen = await startPlaten(config);
  const { services, firstKey } = platen;
  const key = firstKey?.secret ?? '';
  const origin = `http://localhost:${port}`;
  return {
    services,
    origin,
    dataDir,
    key,
    async call(method, path, body, options = {}) {
      const authorization = options.key === null ? {} : { Authorization: `Bearer ${options.key ?? key}` };
      const json =
        body === undefined && options.raw === undefined ? {} : { 'Content-Type': 'application/json' };
      const payload = options.raw ?? (body === undefined ? null : JSON.stringify(body));
      const response = await fetch(`${origin}/v1${path}`, {
        method,
        headers: { ...authorization, ...json, ...options.headers },
        body: payload instanceof Uint8Array ? Buffer.from(payload) : payload,
      });
      const given = answer(response.status, response.headers, await response.text());
      assertDocumented(services, method, path, given);
      return given;
    },
    async read(blogSlug, path, options = {}) {
      const req = request({
        port,
        path,
        method: options.method ?? 'GET',
        headers: { host: options.host ?? `${blogSlug}.localhost:${port}`, ...options.headers },
      }).end();
      const [res] = await once(req, 'response');
      let text = '';
      for await (const chunk of res.setEncoding('utf8')) text += chunk;
      const given = answer(res.statusCode, new Headers(res.headers), text);
      const isOfApi = options.host === new URL(origin).host && path.startsWith('/v1/');
      if (isOfApi) assertDocumented(services, options.method ?? 'GET', path.slice('/v1'.length), given);
      return given;
    },
    async account({ tier, scopes = ['*'] }) {
      const accountId = uuid();
      const createdAt = services.clock.now();
      const account = { id: accountId, email: `${accountId}@example.org`, name: tier, tier, createdAt };
      await insertAccount(services.db, account);
      const request = { accountId, blogId: null, name: 'Test', scopes, expiresAt: null };
      const { secret } = await services.credentials.issue(request);
      return { accountId, key: secret };
    },
    async close() {
      await platen.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

function assertDocumented(services: Services, method: string, path: string, given: Answer): void {
  const differences = contractOf(services).differences(method, path, given);
  if (differences.length === 0) return;
  throw new Error(
    `${method} ${path} is not answered as documented: ${differences.join('; ')}\n${given.text}`,
  );
}

function answer(status: number, headers: Headers, text: string): Answer {
  const isJson = headers.get('content-type')?.startsWith('application/json');
  return { status, headers, text, json: isJson && text !== '' ? JSON.parse(text) : undefined };
}
