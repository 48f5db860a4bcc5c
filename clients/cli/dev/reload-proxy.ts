import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Stands in front of the blog of a preview: pages reload themselves, and images come from the folder. */
export interface ReloadProxy {
  readonly port: number;
  /** Address of an image of the folder. */
  imageAddress(hash: string): string;
  /** Makes the open pages reload themselves. */
  reload(): void;
  close(): Promise<void>;
}

export interface ReloadProxyOptions {
  /** Port to listen on; 0: any that is free. */
  readonly port: number;
  readonly server: { readonly port: number };
  /** Name and port of the blog's host. */
  readonly blogHost: string;
  /** The file with an image's bytes; undefined if there is no such image. */
  readonly fileOfImage: (hash: string) => string | undefined;
}

/** No page of a blog can have this address: names that begin with a dot are reserved. */
const OWN = '/.platen-dev';

const SCRIPT = `<script>new EventSource('${OWN}/changes').onmessage = () => location.reload()</script>`;

/** Listens on this machine alone. Rejects if the port is in use. */
export async function startReloadProxy(options: ReloadProxyOptions): Promise<ReloadProxy> {
  const open = new Set<ServerResponse>();
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    if (pathname === `${OWN}/changes`) return follow(res, open);
    const hash = pathname.startsWith(`${OWN}/images/`) ? pathname.slice(`${OWN}/images/`.length) : undefined;
    const done = hash === undefined ? forward(options, req, res) : sendImage(options, hash, res);
    done.catch(() => res.destroy());
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? options.port : address.port;
  return {
    port,
    imageAddress: (hash) => `http://localhost:${port}${OWN}/images/${hash}`,
    reload() {
      for (const res of open) res.write('data: changed\n\n');
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function follow(res: ServerResponse, open: Set<ServerResponse>): void {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  res.write(': open\n\n');
  open.add(res);
  res.on('close', () => open.delete(res));
}

async function sendImage(
  { fileOfImage }: ReloadProxyOptions,
  hash: string,
  res: ServerResponse,
): Promise<void> {
  const file = fileOfImage(hash);
  if (file === undefined) {
    res.writeHead(404).end();
    return;
  }
  // No type: browsers tell images by their first bytes.
  await pipeline(createReadStream(file), res);
}

/** Passes a request on to the blog. Its pages get the script, and may run it. */
async function forward(
  options: ReloadProxyOptions,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { 'accept-encoding': _, ...headers } = req.headers;
  const upstream = request({
    host: '127.0.0.1',
    port: options.server.port,
    path: req.url,
    method: req.method,
    headers: { ...headers, host: options.blogHost },
  });
  upstream.on('error', () => res.destroy());
  req.pipe(upstream);
  const [answer] = (await once(upstream, 'response')) as [IncomingMessage];
  const { 'content-security-policy': _policy, 'content-length': length, location, ...rest } = answer.headers;
  const isPage = rest['content-type']?.startsWith('text/html') && req.method === 'GET';
  res.writeHead(answer.statusCode ?? 502, {
    ...rest,
    'cache-control': 'no-store',
    ...(location !== undefined && { location: location.replace(`http://${options.blogHost}`, '') }),
    ...(length !== undefined && !isPage && { 'content-length': length }),
  });
  await pipeline(answer, res, { end: !isPage });
  if (isPage) res.end(SCRIPT);
}
