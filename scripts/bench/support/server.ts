import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Scratch } from './scratch.ts';

const START_MS = 20_000;

export interface RunningServer {
  readonly origin: string;
  readonly child: ChildProcess;
}

/** Starts Platen as `npm start` does, on an existing data folder with these settings. Resolves when it responds. */
export async function startServer(
  scratch: Scratch,
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const port = await freePort();
  const child = startServerProcess(scratch, { PORT: String(port), PLATEN_DATA_DIR: dataDir, ...settings });
  const origin = `http://localhost:${port}`;
  const end = performance.now() + START_MS;
  while (!(await answers(origin))) {
    if (child.exitCode !== null) throw new Error('the server has ended');
    if (performance.now() > end) throw new Error('the server does not answer');
    await sleep(50);
  }
  return { origin, child };
}

/** Starts the server's entry point as `npm start` does, without waiting for it. */
export function startServerProcess(
  scratch: Scratch,
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  const env = { LOG_LEVEL: 'error', NODE_ENV: 'production', ...settings };
  return scratch.start('server/main.js', env, nodeOptions());
}

/** The Node options in the `start` script of package.json. */
function nodeOptions(): string[] {
  const main = createRequire(import.meta.url).resolve('#dist/server/main.js');
  const packageJson: unknown = JSON.parse(
    readFileSync(join(dirname(main), '..', '..', 'package.json'), 'utf8'),
  );
  const { start } = z.object({ scripts: z.object({ start: z.string() }) }).parse(packageJson).scripts;
  const [, options = ''] = start.match(/ node ((?:--\S+ )*)dist\/server\/main\.js$/) ?? [];
  return options.split(' ').filter((option) => option !== '');
}

async function answers(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/healthz`)).ok;
  } catch {
    return false;
  }
}

/** An unused port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
