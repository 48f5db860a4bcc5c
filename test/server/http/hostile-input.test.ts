// Slow: sends every hostile value in every field of every operation.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

/** Values of attackers or broken programs. */
const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  1.5,
  '',
  ' ',
  '1',
  [],
  {},
  [[[]]],
  { __proto__: { admin: true }, constructor: 'x' },
  'x'.repeat(5_000),
  '\u0000',
  'a\u0007b',
  '\ud800',
  '\u202eevil\u202c',
  '👩‍👩‍👧‍👦',
  'مرحبا',
  "'; drop table posts; --",
  '../../etc/passwd',
  '%00%2f..',
  '9999-99-99T99:99:99Z',
  'javascript:alert(1)',
  ['x', null, 1, '\ud800'],
];

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly example: Readonly<Record<string, unknown>> | undefined;
}

/** Every operation of the API's own document, so that new ones are covered automatically. */
async function operations(): Promise<Operation[]> {
  const { json } = await platen.call('GET', '/openapi.json');
  // biome-ignore lint/suspicious/noExplicitAny: as in `Answer.json`
  return Object.entries<Record<string, any>>(json.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (!operation.responses) return [];
      const parameters: { in: string; name: string }[] = operation.parameters ?? [];
      return {
        method: method.toUpperCase(),
        path,
        query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
        example: operation.requestBody?.content['application/json']?.example,
      };
    }),
  );
}

const fill = (path: string, value: string) => path.replace(/\{\w+\}/g, encodeURIComponent(value));

/** Expects success, or a refusal in the API's own format: never a server error. */
async function send(method: string, path: string, body?: unknown): Promise<void> {
  const answer = await platen.call(method, path, body);
  const told = `${method} ${path.slice(0, 80)} ${JSON.stringify(body)?.slice(0, 200)} -> ${answer.status} ${answer.text.slice(0, 200)}`;
  expect(answer.status, told).toBeLessThan(500);
  if (answer.status < 400) return;
  expect(answer.json, told).toMatchObject({
    error: expect.stringMatching(/^\w+$/),
    message: expect.stringMatching(/./),
  });
}

const wellFormed = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && value !== '';

it('hostile values in any field of a body never cause a server error', { timeout: 600_000 }, async () => {
  for (const { method, path, example } of await operations()) {
    if (example === undefined) continue;
    for (const field of Object.keys(example)) {
      for (const value of hostile) await send(method, fill(path, 'unknown'), { ...example, [field]: value });
    }
    for (const value of hostile) await send(method, fill(path, 'unknown'), value);
  }
});

it('hostile values in an address never cause a server error', { timeout: 600_000 }, async () => {
  for (const { method, path, query, example } of await operations()) {
    if (path === '/account/delete') continue;
    for (const value of hostile.filter(wellFormed)) {
      if (path.includes('{')) await send(method, fill(path, value), example);
      for (const name of query) {
        await send(method, `${fill(path, 'unknown')}?${name}=${encodeURIComponent(value)}`);
        await send(method, `${fill(path, 'unknown')}?${name}=${encodeURIComponent(value)}&${name}=again`);
      }
    }
  }
});

it('hostile values in headers never cause a server error', async () => {
  for (const value of [
    '',
    ' ',
    '*',
    'x'.repeat(4_000),
    '"',
    ',,,',
    'wait=',
    'wait=99999999',
    'wait=-1',
    "'--",
  ]) {
    for (const name of [
      'X-Blog-Id',
      'Prefer',
      'If-Match',
      'If-None-Match',
      'Idempotency-Key',
      'Content-Encoding',
    ]) {
      const body = { title: 'T', content: 'C' };
      for (const method of ['POST', 'GET']) {
        const answer = await platen.call(method, '/posts', method === 'POST' ? body : undefined, {
          headers: { [name]: value },
        });
        expect(answer.status, `${method} ${name}: ${value.slice(0, 40)}`).toBeLessThan(500);
      }
    }
  }
});
