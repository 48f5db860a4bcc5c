import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';

/**
 * Faults between Platen and the S3 server, on the way there or back. With `lost`, the server has done the request.
 */
export const faults = ['503', '500', 'reset', 'reset after', 'stall', 'half request', 'half answer'] as const;
export type Fault = (typeof faults)[number];

/** A request as a test sees it: sequence number, method and key. */
export interface ProxiedRequest {
  readonly number: number;
  readonly method: string;
  readonly path: string;
}

/** A proxy in front of an S3 server at which a test makes requests fail. */
export interface FaultyProxy {
  readonly endpoint: string;
  /** Number of requests so far. */
  readonly requests: number;
  /** Returns the fault for a request, whose path is decoded; null passes it on. */
  judge: (request: ProxiedRequest) => Fault | null | Promise<Fault | null>;
  /** Called for each request that the server has done, in that order. */
  onDone: (request: ProxiedRequest, body: Buffer) => void;
  close(): Promise<void>;
}

/** Starts a proxy. It forwards the Host header unchanged, since the signature covers it. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  let requests = 0;
  /** Requests that the server is still handling though their client has given up. */
  const abandoned = new Set<Promise<unknown>>();

  const forward = (req: IncomingMessage): ClientRequest =>
    request({ hostname, port, method: req.method, path: req.url, headers: req.headers });

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    requests += 1;
    const { method = '', url: path = '' } = req;
    const asked = { number: requests, method, path: decodeURIComponent(path) };
    const fault = await proxy.judge(asked);
    const body = await bodyOf(req);
    // An abandoned request may finish late, but no later request may finish before it.
    await Promise.all(abandoned);
    if (fault === '503' || fault === '500') return refuse(res, fault);
    if (fault === 'reset') return void req.socket.resetAndDestroy();
    if (fault === 'stall') return;
    const upstream = forward(req).on('error', () => req.socket.destroy());
    if (fault === 'half request') {
      upstream.write(body.subarray(0, body.length / 2), () => upstream.destroy());
      return void req.socket.destroy();
    }
    upstream.end(body);
    const doing = once(upstream, 'response');
    const abandon = () => {
      const done = doing.catch(() => {}).finally(() => abandoned.delete(done));
      abandoned.add(done);
    };
    res.once('close', abandon);
    const [answer] = await doing;
    res.off('close', abandon);
    const bytes = await bodyOf(answer);
    if (answer.statusCode < 300) proxy.onDone(asked, body);
    if (fault === 'reset after') return void req.socket.resetAndDestroy();
    res.writeHead(answer.statusCode, answer.headers);
    if (fault !== 'half answer') return void res.end(bytes);
    res.write(bytes.subarray(0, bytes.length / 2), () => req.socket.destroy());
  }

  const server = createServer((req, res) => {
    handle(req, res).catch(() => req.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const proxy: FaultyProxy = {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    get requests() {
      return requests;
    },
    judge: () => null,
    onDone() {},
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function refuse(res: ServerResponse, status: '503' | '500'): void {
  const code = status === '503' ? 'SlowDown' : 'InternalError';
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
  res
    .writeHead(Number(status), { 'Content-Type': 'application/xml', 'Content-Length': text.length })
    .end(text);
}
