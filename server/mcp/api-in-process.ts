import { createServer, type IncomingMessage, request } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import express, { type ErrorRequestHandler, type Router } from 'express';
import { messageClassesOf } from '../http/server.ts';

/** Makes a `fetch` whose requests reach the API as those of a client with this address. */
export type ApiFetch = (address: string) => typeof fetch;

/**
 * The API without a port: each request takes its usual way through Node's HTTP, over a connection in memory. So keys,
 * scopes, limits, audit and errors are the API's own, and limits see the client's address. A request to our own port
 * would come from this machine, and would need a port that this process can reach.
 */
export function createApiInProcess(api: Router, errors: ErrorRequestHandler): ApiFetch {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use('/v1', api);
  app.use(errors);
  const server = createServer(messageClassesOf(app), app);
  return (address) => async (input, init) => {
    const sent = new Request(input, init);
    const [near, far] = duplexPair();
    server.emit('connection', Object.assign(far, { remoteAddress: address }));
    try {
      return await exchange(sent, near);
    } finally {
      near.destroy();
      // The server's side must not outlive an abandoned request.
      far.destroy();
    }
  };
}

async function exchange(sent: Request, connection: Duplex): Promise<Response> {
  const body = Buffer.from(await sent.arrayBuffer());
  const { pathname, search } = new URL(sent.url);
  const headers = { ...Object.fromEntries(sent.headers), host: 'localhost', connection: 'close' };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({
      createConnection: () => connection,
      method: sent.method,
      path: `${pathname}${search}`,
      headers: body.length > 0 ? { ...headers, 'content-length': String(body.length) } : headers,
      signal: sent.signal,
    })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
  });
  const { statusCode: status = 500 } = answer;
  const received = await buffer(answer);
  const names = Object.entries(answer.headersDistinct);
  return new Response(received.length === 0 ? null : received, {
    status,
    headers: names.flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])),
  });
}
