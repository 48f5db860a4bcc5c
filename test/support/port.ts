import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports, so that the system gives none of these to another process before the test uses it. */
const FIRST = 11_000;
const COUNT = 21_000;

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  while (true) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = createServer().listen(port);
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
