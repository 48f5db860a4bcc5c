import { once } from 'node:events';
import { type ErrorRequestHandler, Router } from 'express';
import { expect, it } from 'vitest';
import { createApiInProcess } from '../../../server/mcp/api-in-process.ts';

const errors: ErrorRequestHandler = (error, _req, res, _next) =>
  void res.status(500).json({ message: error.message });

const apiOf = (router: Router) => createApiInProcess(router, errors)('203.0.113.7');

it('a request arrives as it was sent, from the address of the client', async () => {
  const router = Router();
  router.post('/posts', async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const { ip, url, headers } = req;
    res
      .status(201)
      .set('X-Twice', ['a', 'b'])
      .json({ ip, url, key: headers.authorization, body: `${Buffer.concat(chunks)}` });
  });
  const answer = await apiOf(router)('http://localhost/v1/posts?a=1', {
    method: 'POST',
    headers: { Authorization: 'Bearer k', 'X-Forwarded-For': '198.51.100.1' },
    body: 'ink',
  });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('X-Twice')).toBe('a, b');
  expect(await answer.json()).toEqual({ ip: '203.0.113.7', url: '/posts?a=1', key: 'Bearer k', body: 'ink' });
});

it('an answer may be an error, or have no body', async () => {
  const router = Router();
  router.get('/fails', () => {
    throw new Error('out of ink');
  });
  router.get('/same', (_req, res) => void res.status(304).end());
  const failed = await apiOf(router)('http://localhost/v1/fails');
  expect([failed.status, await failed.json()]).toEqual([500, { message: 'out of ink' }]);
  expect((await apiOf(router)('http://localhost/v1/same')).status).toBe(304);
});

it('a request that is given up is over on both sides', async () => {
  const controller = new AbortController();
  const router = Router();
  let closed: Promise<unknown> | undefined;
  router.get('/waits', (_req, res) => {
    closed = once(res, 'close');
    controller.abort(new Error('given up'));
  });
  const waiting = apiOf(router)('http://localhost/v1/waits', { signal: controller.signal });
  await expect(waiting).rejects.toThrow();
  await closed;
});
