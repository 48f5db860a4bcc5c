import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packClient } from '../packages/pack-client.ts';
import { seed } from './seed/seed.ts';
import { runBenchmark } from './support/benchmark.ts';
import { startServer } from './support/server.ts';
import { median } from './support/statistics.ts';
import { figure, ratio, table } from './support/table.ts';

const usage = `Time from the start of a process of the command line to its end, as it is installed, beside a process of Node that
does nothing.

  node dist/scripts/bench/command-line.js [--samples 15]

  --samples <n>   processes of each kind, in turns
`;

const root = fileURLToPath(new URL('../../../', import.meta.url));

await runBenchmark(usage, { samples: '15' }, async (scratch, { samples }) => {
  // In the checkout, because there it finds the packages of others.
  const out = join(root, 'dist/packages/cli');
  await packClient({ root, name: 'cli', out });
  const dataDir = scratch.folder('command-line');
  const { key } = await seed(dataDir, [100]);
  const { origin } = await startServer(scratch, dataDir);
  const env = { PLATEN_API_KEY: key, PLATEN_API_URL: origin, XDG_CONFIG_HOME: scratch.folder('settings') };
  const main = join(out, 'main.js');
  const create = ['posts', 'create', '--content', 'Text', '--publish', '--title'];
  const kinds: readonly (readonly [name: string, args: (sample: number) => string[]])[] = [
    ['Node alone', () => ['--eval', '0']],
    ['platen --help', () => [main, '--help']],
    ['platen posts --help', () => [main, 'posts', '--help']],
    ['platen posts list', () => [main, 'posts', 'list']],
    ['platen posts create --publish, until it is live', (sample) => [main, ...create, `Post ${sample}`]],
  ];
  const times = new Map(kinds.map(([name]): [string, number[]] => [name, []]));
  for (let sample = 0; sample < samples; sample += 1) {
    for (const [name, args] of kinds) times.get(name)?.push(await timeOf(args(sample), env));
  }
  const alone = median(times.get('Node alone') ?? []);
  const rows = [...times].map(([name, all]) => [name, figure(median(all)), ratio(median(all), alone)]);
  return `### The command line, medians of ${samples} processes in turns, milliseconds\n\n${table(['', 'ms', 'ratio'], rows)}`;
});

async function timeOf(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  return performance.now() - started;
}
