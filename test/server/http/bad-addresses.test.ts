// Slow: starts a whole server, and requests every path of the API with every method.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../server/app.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { callablePath } from '../../support/endpoint-path.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { writtenRows } from '../../support/written-rows.ts';

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
  await author.post({ slug: 'subject', status: 'draft' });
});
afterAll(() => platen.close());

/** Requests a path of the public host that no client may normalise. */
const ask = (method: string, path: string) =>
  platen.read('', path, {
    method,
    host: new URL(platen.origin).host,
    headers: { Authorization: `Bearer ${author.key}`, 'Content-Type': 'application/json' },
  });

describe('an address that names no post', () => {
  it.each([
    ['..', 404],
    ['%2e%2e', 404],
    ['..%2f..%2fblogs', 404],
    ['a%2fb', 404],
    ['%2f', 404],
    ['%00', 404],
    ['subject%00', 404],
    ['subject%20', 404],
    ['SUBJECT', 404],
    ["'%20or%20''='", 404],
    ['%f0%9f%8e%89', 404],
    ['x'.repeat(200), 404],
    ['__proto__', 404],
    ['%zz', 400],
    ['%', 400],
    ['%ff', 400],
    ['%c0%ae%c0%ae', 400],
  ])('an address that names no post is refused without side effects: /posts/%s', async (slug, status) => {
    const before = await writtenRows(platen.services.db);
    for (const [method, rest] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/publish'],
    ] as const) {
      expectRefusal(await ask(method, `/v1/posts/${slug}${rest}`), status, /./);
    }
    expect(await writtenRows(platen.services.db)).toEqual(before);
  });
});

it.each([
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/v2/posts',
  '/nothing',
  '/v1//posts',
  '/v1/posts/a/b/c',
  '/.env',
  '/v1/__proto__',
])('%s is not found', async (path) => expectRefusal(await ask('GET', path), 404, /there is nothing at/));

describe('methods of the API’s paths', () => {
  const paths = () => {
    const byPath = new Map<string, string[]>();
    for (const { method, path } of endpoints(platen.services)) {
      byPath.set(path, [...(byPath.get(path) ?? []), method.toUpperCase()]);
    }
    return [...byPath].map(([path, methods]) => ({ path: `/v1${callablePath(path, 'x')}`, methods }));
  };

  it('every path refuses other methods, and lists the ones it has', async () => {
    const before = await writtenRows(platen.services.db);
    for (const { path, methods } of paths()) {
      const allowed = [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];
      for (const method of others.filter((other) => !allowed.includes(other))) {
        const answer = await ask(method, path);
        expectRefusal(answer, 405, new RegExp(`^${method} is not allowed`));
        expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allowed);
      }
    }
    expect(await writtenRows(platen.services.db)).toEqual(before);
  });

  it('every path lists its methods in response to OPTIONS', async () => {
    for (const { path, methods } of paths()) {
      const { status, headers, text } = await ask('OPTIONS', path);
      expect([status, text]).toEqual([204, '']);
      for (const method of methods) expect(headers.get('allow')?.split(', ')).toContain(method);
    }
  });

  it('HEAD is refused without GET, and otherwise answered like GET without the body', async () => {
    for (const { path, methods } of paths()) {
      const head = await ask('HEAD', path);
      const get = await ask('GET', path);
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(head.status === 405).toBe(!methods.includes('GET'));
      if (head.status === 405) continue;
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    }
  });
});

describe('responses of the API', () => {
  it('API responses are never cached and reveal nothing about the server', async () => {
    for (const path of ['/v1/posts', '/v1/nothing', '/v1/posts/%zz']) {
      const { headers } = await ask('GET', path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.has('x-powered-by')).toBe(false);
    }
  });

  it('API errors say what went wrong and reveal no implementation details', async () => {
    for (const path of ['/v1/posts/%zz', '/v1/nothing', '/v1/posts?page=x', '/v1/posts?status=%00']) {
      expect((await ask('GET', path)).text).not.toMatch(/node_modules|\.[jt]s:|at \w+ \(|SQLITE|zod/i);
    }
  });
});
