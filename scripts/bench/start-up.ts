import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection } from './load/connection.ts';
import { wireRequest } from './load/generate-load.ts';
import { seed } from './seed/seed.ts';
import { runBenchmark } from './support/benchmark.ts';
import { buildReport } from './support/child-reports.ts';
import { runChild } from './support/run-child.ts';
import type { Scratch } from './support/scratch.ts';
import { freePort, startServerProcess } from './support/server.ts';
import { median } from './support/statistics.ts';
import { figure, ratio, table } from './support/table.ts';

const usage = `Time from the start of the process to its first response, with databases of several sizes, and the time that Node
takes to load the same modules.

  node dist/scripts/bench/start-up.js [--sizes 1,1000] [--samples 9]

  --sizes <n,...>   blogs in the databases, each with one post, all of them built
  --samples <n>     starts of each kind, in turns
`;

const dist = (script: string) => createRequire(import.meta.url).resolve(`#dist/${script}`);
const POLL_INTERVAL_MS = 2;
const TIMEOUT_MS = 30_000;

/** Pages contain it, so it stays the same: otherwise every page would be rebuilt. */
const BLOG_HOST = 'localhost:8080';
/** The imports of the server's entry point; the entry point itself would start the server. */
const MODULES = ['server/config/config.js', 'server/platen.js'];

await runBenchmark(usage, { sizes: '1,1000', samples: '9' }, async (scratch, { sizes, samples }) => {
  const starts: { size: number; dataDir: string; times: number[] }[] = [];
  for (const size of sizes) starts.push({ size, dataDir: await builtDataDir(scratch, size), times: [] });
  const loads: number[] = [];
  for (let i = 0; i < samples; i += 1) {
    loads.push(await timeOfLoading());
    for (const { dataDir, times } of starts) times.push(await timeOfStart(scratch, dataDir));
  }
  const rows = [
    ['loading the modules', '', figure(median(loads)), ratio(1, 1)],
    ...starts.map(({ size, times }) => [
      'first response',
      size.toLocaleString('en'),
      figure(median(times)),
      ratio(median(times), median(loads)),
    ]),
  ];
  return `### Start-up, medians of ${samples} processes, milliseconds\n\n${table(['', 'blogs', 'ms', 'ratio'], rows)}\n`;
});

async function builtDataDir(scratch: Scratch, size: number): Promise<string> {
  const dataDir = scratch.folder(`blogs-${size}`);
  const { blogs } = await seed(
    dataDir,
    Array.from({ length: size }, () => 1),
  );
  const [last] = blogs.slice(-1);
  const env = {
    PLATEN_DATA_DIR: dataDir,
    PLATEN_BLOG_HOST: BLOG_HOST,
    REBUILD_ID: last?.rebuildId ?? '',
    NODE_ENV: 'production',
  };
  await runChild(scratch, 'children/build-once', env, buildReport);
  return dataDir;
}

async function timeOfLoading(): Promise<number> {
  const imports = MODULES.map((module) => `await import(${JSON.stringify(dist(module))});`);
  const program = `${imports.join('')} process.stdout.write('loaded')`;
  const started = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  const time = performance.now() - started;
  const [code] = await ended;
  if (code !== 0) throw new Error('the modules could not be loaded');
  return time;
}

async function timeOfStart(scratch: Scratch, dataDir: string): Promise<number> {
  const port = await freePort();
  const started = performance.now();
  const settings = { PORT: String(port), PLATEN_DATA_DIR: dataDir, PLATEN_BLOG_HOST: BLOG_HOST };
  const child = startServerProcess(scratch, settings);
  const ended = once(child, 'close');
  await firstAnswer(port);
  const time = performance.now() - started;
  child.kill('SIGTERM');
  await ended;
  return time;
}

async function firstAnswer(port: number): Promise<void> {
  const request = Buffer.from(wireRequest('GET', '/healthz', { Host: `localhost:${port}` }));
  const end = performance.now() + TIMEOUT_MS;
  while (performance.now() < end) {
    const connection = await openConnection(port).catch(() => null);
    if (connection === null) {
      await sleep(POLL_INTERVAL_MS);
      continue;
    }
    const { status } = await connection.send(request);
    connection.close();
    if (status !== 200) throw new Error(`the first response was ${status}`);
    return;
  }
  throw new Error('the server does not answer');
}
