// Slow: starts a server several times, each until it fails.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../../server/config/config.ts';
import { closeServer, listen } from '../../../server/http/server.ts';
import { startPlaten } from '../../../server/platen.ts';
import { lockDataDir } from '../../../server/runtime/lock.ts';
import { startChild } from '../../support/child.ts';
import { freePort } from '../../support/port.ts';

let dataDir: string;
let port: number;
let workers: number;
const onWorker = () => {
  workers += 1;
};
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'platen-test-'));
  port = await freePort();
  workers = 0;
  process.on('worker', onWorker);
});
afterEach(() => {
  process.off('worker', onWorker);
  rmSync(dataDir, { recursive: true });
});

const configWith = (env: Readonly<Record<string, string>> = {}) =>
  readConfig({ PORT: `${port}`, PLATEN_DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env });

/** Expects a start that fails, and then that no lock, port or thread is left. */
async function expectFailure(message: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  await expect(startPlaten(configWith(env))).rejects.toThrow(message);
  lockDataDir(dataDir)();
  const server = createServer();
  await listen(server, port, env.PLATEN_LISTEN === undefined ? '127.0.0.1' : '::1');
  await closeServer(server);
  expect(workers).toBe(0);
}

async function expectStart(): Promise<void> {
  await (await startPlaten(configWith())).stop();
}

it('a start on an address that the machine lacks says so', async () => {
  await expectFailure('this machine does not have the address 192.0.2.1', { PLATEN_LISTEN: '192.0.2.1' });
  await expectStart();
});

it('a start on a port in use can be repeated once the port is free', async () => {
  const first = createServer();
  await listen(first, port);
  await expect(startPlaten(configWith())).rejects.toThrow(`port ${port} is in use`);
  lockDataDir(dataDir)();
  await closeServer(first);
  await expectStart();
});

it('a start on a damaged database says so', async () => {
  const file = join(dataDir, 'platen.db');
  writeFileSync(file, 'x'.repeat(4096));
  await expectFailure(`the database ${file} cannot be opened: file is not a database`);
});

it('a start that fails halfway leaves nothing behind, and the next one succeeds', async () => {
  mkdirSync(join(dataDir, 'first-key'));
  await expectFailure('first-key');
  rmSync(join(dataDir, 'first-key'), { recursive: true });
  await expectStart();
});

it('a start on a damaged lock file says so in one line', async () => {
  const lock = join(dataDir, 'lock');
  writeFileSync(lock, 'x'.repeat(4096));
  const child = startChild(dataDir, { PORT: `${port}`, PLATEN_DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  expect(await child.exited).toBe(1);
  expect(child.stderr()).toBe(
    `platen: the lock ${lock} cannot be taken (file is not a database): if no Platen runs here, remove it\n`,
  );
});
