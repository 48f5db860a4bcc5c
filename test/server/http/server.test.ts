import { createServer } from 'node:http';
import express from 'express';
import { expect, it } from 'vitest';
import { closeServer, createHttpServer, listen } from '../../../server/http/server.ts';

it('a port that somebody else has is refused with what to do about it', async () => {
  const first = createServer();
  const port = await listen(first, 0);
  await expect(listen(createServer(), port)).rejects.toThrow(
    `port ${port} is in use: stop what listens there, or set PORT to another one`,
  );
  await closeServer(first);
});

it('requests and responses come as the app makes them, so that it has nothing to change about each', async () => {
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
