import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What has been sent to a bucket. */
export interface Traffic {
  readonly objects: number;
  /** Of those objects; what a request has around them does not count. */
  readonly bytes: number;
  readonly removed: number;
  /** All requests, those that only ask included. */
  readonly requests: number;
}

/** Stands between a Platen and an S3 server, with one bucket, and keeps account of what the server has done. */
export interface CountingProxy {
  readonly endpoint: string;
  /** When the object was written last, in milliseconds of the system's clock; null where it is not there. */
  writtenAt(key: string): number | null;
  /** What has been sent since this was asked last. */
  take(): Traffic;
  close(): Promise<void>;
}

const nothing: Traffic = { objects: 0, bytes: 0, removed: 0, requests: 0 };

/** The bucket must be empty. The signature of a request names its host, which is therefore handed on as it came. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  const written = new Map<string, number>();
  let traffic = nothing;

  function handOn(req: IncomingMessage, res: ServerResponse): void {
    const { method = '', url: path = '', headers } = req;
    const sent: Buffer[] = [];
    const upstream = request({ agent, hostname, port, method, path, headers }, (answer) => {
      const { statusCode = 502 } = answer;
      if (statusCode < 300) note(method, path, Buffer.concat(sent));
      res.writeHead(statusCode, answer.headers);
      answer.pipe(res);
    });
    upstream.on('error', () => res.destroy());
    req.on('data', (chunk: Buffer) => sent.push(chunk)).pipe(upstream);
  }

  /** `/bucket/sites/ink/index.html?x-id=PutObject` */
  function note(method: string, path: string, body: Buffer): void {
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

  const server = createServer(handOn).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    writtenAt: (key) => written.get(key) ?? null,
    take() {
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
