import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Requests to a bucket. */
export interface Traffic {
  /** Objects written. */
  readonly objects: number;
  /** Their bytes, without HTTP overhead. */
  readonly bytes: number;
  /** Objects removed. */
  readonly removed: number;
  /** All requests, including reads. */
  readonly requests: number;
}

/** A proxy between Platen and an S3 server with one bucket, which counts the traffic. */
export interface CountingProxy {
  readonly endpoint: string;
  /** Time of the last write of an object, in milliseconds of the system clock; null if it does not exist. */
  writtenAt(key: string): number | null;
  /** Traffic since the last call. */
  takeTraffic(): Traffic;
  close(): Promise<void>;
}

const nothing: Traffic = { objects: 0, bytes: 0, removed: 0, requests: 0 };

/** The bucket must be empty. The `Host` header is forwarded unchanged, because request signatures include it. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  const written = new Map<string, number>();
  let traffic = nothing;

  function forward(req: IncomingMessage, res: ServerResponse): void {
    const { method = '', url: path = '', headers } = req;
    const sent: Buffer[] = [];
    const upstream = request({ agent, hostname, port, method, path, headers }, (answer) => {
      const { statusCode = 502 } = answer;
      if (statusCode < 300) record(method, path, Buffer.concat(sent));
      res.writeHead(statusCode, answer.headers);
      answer.pipe(res);
    });
    upstream.on('error', () => res.destroy());
    req.on('data', (chunk: Buffer) => sent.push(chunk)).pipe(upstream);
  }

  /** `/bucket/sites/ink/index.html?x-id=PutObject` */
  function record(method: string, path: string, body: Buffer): void {
    const { objects, bytes, removed, requests } = traffic;
    traffic = { ...traffic, requests: requests + 1 };
    if (method === 'PUT') {
      written.set(decodeURIComponent(path.replace(/^\/[^/]*\/|\?.*/g, '')), Date.now());
      traffic = { ...traffic, objects: objects + 1, bytes: bytes + body.length };
    } else if (method === 'POST') {
      const keys = [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)];
      for (const [, key = ''] of keys) written.delete(key);
      traffic = { ...traffic, removed: removed + keys.length };
    }
  }

  const server = createServer(forward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    writtenAt: (key) => written.get(key) ?? null,
    takeTraffic() {
      const taken = traffic;
      traffic = nothing;
      return taken;
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
