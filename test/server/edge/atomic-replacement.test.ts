// Slow: replaces files in a loop in another thread, while readers request them until they have seen several versions.
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EdgeServer, startEdgeServer } from '../../support/edge-server.ts';

/** Versions that readers must have seen, however rarely the writer runs. */
const SEEN = 5;

let edge: EdgeServer;
beforeAll(async () => {
  edge = await startEdgeServer();
  mkdirSync(join(edge.dir, 'sites', 'blog'), { recursive: true });
});
afterAll(() => edge.close());

/** The nth version of the file: its length and every line identify it. */
const version = (n: number, least: number): Buffer =>
  Buffer.from(`${`version ${n} `.padEnd(64)}\n`.repeat(Math.ceil(least / 65) + (n % 500)));

/** Replaces the file with one version after another in a thread, as fast as it can. */
const replacer = `
  const { renameSync, writeFileSync } = require('node:fs');
  const { parentPort, workerData: { file, least } } = require('node:worker_threads');
  const version = (n) =>
    Buffer.from((('version ' + n + ' ').padEnd(64) + '\\n').repeat(Math.ceil(least / 65) + (n % 500)));
  for (let n = 0; ; n += 1) {
    writeFileSync(file + '.new', version(n));
    renameSync(file + '.new', file);
    if (n === 0) parentPort.postMessage('there');
  }`;

async function startReplacing(file: string, least: number): Promise<Worker> {
  const worker = new Worker(replacer, { eval: true, workerData: { file, least } });
  await once(worker, 'message');
  return worker;
}

it.each([
  ['a small file', 'page.txt', 1_000, 120],
  ['a large file', 'all.txt', 1_500_000, 15],
])('%s that is replaced during a read is read as one whole version', async (...given) => {
  const [, name, least, rounds] = given;
  const replacing = await startReplacing(join(edge.dir, 'sites', 'blog', name), least);
  const seen = new Set<number>();

  async function readWhole(headers: Readonly<Record<string, string>>): Promise<void> {
    for (let round = 0; round < rounds || seen.size <= SEEN; round += 1) {
      const { status, headers: given, body } = await edge.read(`/${name}`, headers);
      const text = given['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      const n = Number(/^version (\d+)/.exec(text.toString('utf8', 0, 64))?.[1]);
      expect([status, text.equals(version(n, least))], `version ${n}`).toEqual([200, true]);
      seen.add(n);
    }
  }

  async function readEnd(): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      const { status, headers, body } = await edge.read(`/${name}`, { Range: 'bytes=-65' });
      const size = version(Number(/^version (\d+)/.exec(body.toString())?.[1]), least).length;
      const range = `bytes ${size - 65}-${size - 1}/${size}`;
      expect([status, headers['content-range']]).toEqual([206, range]);
    }
  }

  const readers = [readWhole({}), readWhole({}), readWhole({ 'Accept-Encoding': 'gzip' }), readEnd()];
  const outcomes = await Promise.allSettled(readers);
  await replacing.terminate();
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'fulfilled' });
  expect(seen.size).toBeGreaterThan(SEEN);
});
