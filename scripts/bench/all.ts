import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `Runs the benchmarks with their defaults, one after the other, and writes what they print into docs/benchmarks.md.

  npm run bench [-- --only burst,cards] [--keep]

  --only <name,...>   the benchmarks to run, of those below
  --keep              leaves docs/benchmarks.md as it is

`;

/** Each in a process of its own: they would be in each other's way. */
const names = [
  ...[
    'publish-to-live',
    'full-press',
    'burst',
    'api',
    'readers',
    'cards',
    'start-up',
    'markdown',
    'lighthouse',
  ],
];

const FROM = '<!-- measured -->';
const TO = '<!-- end of measured -->';

const dist = dirname(createRequire(import.meta.url).resolve('#dist/scripts/build-templates.js'));
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: names.join(',') },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) console.log(`${usage}${names.join(', ')}`);
else await runAll(values.only.split(','));

async function runAll(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`bench: there is no benchmark "${unknown.join(', ')}" (see --help)`);
    process.exitCode = 1;
    return;
  }
  const reports: string[] = [];
  for (const name of wanted) reports.push(await run(name));
  // A part of the figures would pass for all of them.
  if (!values.keep && wanted.length === names.length) writeDocument(reports);
}

/** What the benchmark prints. */
async function run(name: string): Promise<string> {
  const child = spawn(process.execPath, [join(dist, 'bench', `${name}.js`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    process.stdout.write(text);
  });
  const [code] = await once(child, 'close');
  if (code === 0) return said.trim();
  process.exitCode = 1;
  return `${said.trim() || `### ${name}`}\n\n**This one failed.**`;
}

function writeDocument(reports: readonly string[]): void {
  const file = join(dist, '..', '..', 'docs', 'benchmarks.md');
  const before = readFileSync(file, 'utf8');
  const [from, to] = [before.indexOf(FROM) + FROM.length, before.indexOf(TO)];
  if (from < FROM.length || to < from) throw new Error(`${file} has no place for figures (${FROM})`);
  writeFileSync(file, `${before.slice(0, from)}\n\n${reports.join('\n\n')}\n\n${before.slice(to)}`);
}
