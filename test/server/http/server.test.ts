import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { closeServer, createHttpServer, listen } from '../../../server/http/server.ts';

it('a port in use is refused with instructions', async () => {
  const first = createServer();
  const port = await listen(first, 0);
  await expect(listen(createServer(), port)).rejects.toThrow(
    `port ${port} is in use: stop the process that listens on it, or set PORT to another port`,
  );
  await closeServer(first);
});

describe('a server with a listen address', () => {
  const reached = async (host: string, port: number) => {
    const socket = connect(port, host);
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  };

  it.each([
    ['127.0.0.1', ['127.0.0.1'], ['127.0.0.2', '::1']],
    ['0.0.0.0', ['127.0.0.1', '127.0.0.2'], ['::1']],
    ['::1', ['::1'], ['127.0.0.1']],
    ['localhost', ['localhost'], []],
    [undefined, ['127.0.0.1', '127.0.0.2', 'localhost'], []],
  ] as const)('the server listens on the configured address only: %s', async (host, open, closed) => {
    const server = createServer();
    const port = await listen(server, 0, host);
    for (const address of open) expect(await reached(address, port), address).toBe(true);
    for (const address of closed) expect(await reached(address, port), address).toBe(false);
    await closeServer(server);
  });

  it('the server refuses an address that the machine lacks, and a port in use there', async () => {
    // An address for documentation (RFC 5737).
    await expect(listen(createServer(), 0, '192.0.2.1')).rejects.toThrow(
      'PLATEN_LISTEN: this machine does not have the address 192.0.2.1',
    );
    const first = createServer();
    const port = await listen(first, 0, '127.0.0.1');
    await expect(listen(createServer(), port, '127.0.0.1')).rejects.toThrow(
      `port ${port} is in use at 127.0.0.1: stop the process that listens on it, or set PORT`,
    );
    await closeServer(first);
  });
});

it('the app’s requests and responses have the right prototypes from the start, so that it changes none of them', async () => {
  const app = express();
  app.get('/', (req, res) => void res.json({ app: req.app === app, accepts: req.accepts('json') }));
  const born: boolean[] = [];
  const server = createHttpServer(
    {
      handle(req, res, next) {
        born.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response);
        next();
      },
    },
    app,
  );
  const port = await listen(server, 0);
  const answer = await fetch(`http://localhost:${port}/`);
  expect([answer.status, await answer.json()]).toEqual([200, { app: true, accepts: 'json' }]);
  expect(born).toEqual([true, true]);
  await closeServer(server);
});
