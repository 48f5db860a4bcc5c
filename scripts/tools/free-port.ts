import { once } from 'node:events';
import { createServer } from 'node:net';

/** The first port from `first` on, on which nothing listens. Throws after `count` taken ones. */
export async function nextFreePort(first: number, count = 100): Promise<number> {
  for (let port = first; port < first + count; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new Error(`the ports ${first} to ${first + count - 1} are all in use`);
}

/** Binds as the server does: to every address of the machine. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
