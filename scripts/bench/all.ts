import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `Runs the benchmarks with their defaults, one after the other, and writes the report of each to its section of
docs/benchmarks.md.

  npm run bench [-- --only burst,cards] [--keep]

  --only <name,...>   benchmarks to run, from the list below
  --keep              do not write docs/benchmarks.md

`;

/** Each benchmark runs in a separate process, so that they cannot affect each other. */
const names = [
  ...['publish-to-live', 'full-build', 's3', 'burst', 'api', 'large-builds', 'readers'],
  ...['deploy', 'command-line', 'cards', 'start-up', 'markdown', 'lighthouse', 'mcp'],
];

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
    console.error(`bench: there is no benchmark "${unknown.join(', ')}"; there are ${names.join(', ')}`);
    process.exitCode = 1;
    return;
  }
  for (const name of wanted) {
    const report = await run(name);
    if (report === null) process.exitCode = 1;
    else if (!values.keep) writeReport(name, report);
  }
}

/** Runs a benchmark; resolves to its output, or null if it failed. */
async function run(name: string): Promise<string | null> {
  const child = spawn(process.execPath, [join(dist, 'bench', `${name}.js`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const [code] = await once(child, 'close');
  return code === 0 ? output.trim() : null;
}

/** Replaces the text between `<!-- name -->` and `<!-- end of name -->` in docs/benchmarks.md. */
function writeReport(name: string, report: string): void {
  const file = join(dist, '..', '..', 'docs', 'benchmarks.md');
  const before = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [before.indexOf(begin) + begin.length, before.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`${file} has no section for this report (${begin})`);
  writeFileSync(file, `${before.slice(0, from)}\n\n${report}\n\n${before.slice(to)}`);
}
