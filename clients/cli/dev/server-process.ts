import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server of Platen that lives as long as a preview. */
export interface ServerProcess {
  /** Address of its API, without `/v1`. */
  readonly url: string;
  readonly key: string;
  readonly port: number;
  /** Resolves when it ends by itself, to what it said last. */
  readonly ended: Promise<string>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** A preview that cannot start. The message is a sentence for people. */
export class PreviewError extends Error {}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
/** What is kept of its output, in characters. */
const MAX_SAID = 2_000;

/**
 * Starts a server on a temporary folder. `entry` is its main module, compiled. Throws a PreviewError if it does not start.
 */
export async function startServer(entry: string, path: string | undefined): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-dev-'));
  const port = await freePort();
  const key = `pk_live_${randomBytes(24).toString('hex')}`;
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [entry], {
    // Not the variables of this process, which may be those of a real server.
    env: {
      ...(path !== undefined && { PATH: path }),
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      PLATEN_LISTEN: '127.0.0.1',
      PLATEN_DATA_DIR: dataDir,
      PLATEN_API_KEY: key,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a group of its own, so that Ctrl-C reaches it by way of this process alone.
    detached: true,
  });
  const said = outputOf(child);
  const ended = once(child, 'exit').then(said);
  const stop = async () => {
    await end(child);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    await untilReady(`${url}/readyz`, ended);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, key, port, ended, stop };
}

async function untilReady(url: string, ended: Promise<string>): Promise<void> {
  let reason: string | undefined;
  void ended.then((said) => {
    reason = said;
  });
  for (const start = performance.now(); performance.now() - start < START_TIMEOUT_MS; await sleep(100)) {
    if (reason !== undefined) throw new PreviewError(`the server of the preview did not start: ${reason}`);
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
  }
  throw new PreviewError(
    `the server of the preview was not ready within ${START_TIMEOUT_MS / 1_000} seconds`,
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exit;
  clearTimeout(timer);
}

function outputOf(child: ChildProcess): () => string {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-MAX_SAID);
    });
  }
  return () => said.trim();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new PreviewError('no port is free');
  return address.port;
}
