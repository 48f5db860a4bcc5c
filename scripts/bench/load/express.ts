import { once } from 'node:events';
import type { Scratch } from '../support/scratch.ts';

/** Starts a minimal Express server in a separate process. */
export async function startExpress(scratch: Scratch): Promise<{ port: number; stop(): void }> {
  const child = scratch.start('scripts/bench/load/express-server.js', { NODE_ENV: 'production' });
  const [port] = await once(child, 'message');
  return { port: Number(port), stop: () => child.kill() };
}
