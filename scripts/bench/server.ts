import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scratch } from './scratch.ts';

const START_MS = 20_000;

/** A Platen in a process of its own, as `npm start` runs it, on a data folder that is there, with these settings. */
export async function startServer(
  scratch: Scratch,
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ origin: string }> {
  const port = await freePort();
  const child = scratch.start('server/main.js', {
    PORT: String(port),
    PLATEN_DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
    ...settings,
  });
  const origin = `http://localhost:${port}`;
  const end = performance.now() + START_MS;
  while (!(await answers(origin))) {
    if (child.exitCode !== null) throw new Error('the server has ended');
    if (performance.now() > end) throw new Error('the server does not answer');
    await sleep(50);
  }
  return { origin };
}

async function answers(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/healthz`)).ok;
  } catch {
    return false;
  }
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
