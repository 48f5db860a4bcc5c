import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { packClient } from '../../scripts/packages/pack-client.ts';

const run = promisify(execFile);
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Packs a client with `npm pack` and installs it in an empty folder, without the network. Returns the folder. */
export async function installPacked(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `platen-packed-${name}-`));
  const out = join(folder, 'package');
  await packClient({ root, name, out });
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: out });
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
  const installed = join(folder, 'installed');
  mkdirSync(installed);
  const overrides = dependenciesFromHere(join(out, 'package.json'));
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ private: true, type: 'module', overrides }),
  );
  // npm would build packages of this checkout as it builds those that are being written.
  const quietly = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quietly, join(folder, archive)], { cwd: installed });
  return installed;
}

const manifest = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

/** Where npm finds the packages that a client depends on: without the network, only where this checkout has them. */
function dependenciesFromHere(file: string): Record<string, string> {
  const { dependencies } = manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.fromEntries(
    Object.keys(dependencies).map((name) => [name, `file:${realpathSync(join(root, 'node_modules', name))}`]),
  );
}

/** Runs a module in a folder with these variables, and returns what it wrote to its standard output. */
export async function runModule(
  folder: string,
  { file, text }: { readonly file: string; readonly text: string },
  env: Readonly<Record<string, string>>,
): Promise<string> {
  writeFileSync(join(folder, file), text);
  const { PATH = '' } = process.env;
  const { stdout } = await run(process.execPath, [file], { cwd: folder, env: { PATH, ...env } });
  return stdout;
}

/** Every JavaScript example of a README, in order. */
export const examplesOf = (readme: string): string[] =>
  [...readFileSync(join(root, readme), 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(
    ([, code = '']) => code,
  );
