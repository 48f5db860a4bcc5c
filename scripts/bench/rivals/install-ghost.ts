import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheFolder } from '../support/cache.ts';

/** Last major version that runs on Node 20. */
const VERSION = '5.99.1';
const AS_OF = '2026-10-01';
const TIMEOUT_MS = 1_800_000;

const folder = cacheFolder(`ghost-${VERSION}`);
const versions = z.record(z.string(), z.string()).default({});
const packageJsonSchema = z.looseObject({
  dependencies: versions,
  optionalDependencies: versions,
  resolutions: versions,
});

/** Folder of the installed Ghost; null if it is not installed. */
export const findGhost = (): string | null => (existsSync(join(folder, 'ghost.js')) ? folder : null);

/**
 * Installs Ghost from npm into the user's cache, with SQLite: about 1,600 packages, in several minutes. Ghost's own
 * installer uses Yarn and gets one package from GitHub; here npm gets the same resolutions and that package's
 * release.
 */
export function installGhost(): string {
  const found = findGhost();
  if (found !== null) return found;
  console.error(`installing Ghost ${VERSION} from npm into ${folder}, which takes several minutes\n`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  run('npm', ['pack', `ghost@${VERSION}`], unfinished);
  run('tar', ['xzf', `ghost-${VERSION}.tgz`], unfinished);
  const unpacked = join(unfinished, 'package');
  applyYarnResolutions(join(unpacked, 'package.json'));
  const quietly = ['--no-audit', '--no-fund', '--loglevel', 'error'];
  run('npm', ['install', '--legacy-peer-deps', '--omit=dev', `--before=${AS_OF}`, ...quietly], unpacked);
  renameSync(unpacked, folder);
  rmSync(unfinished, { recursive: true });
  return folder;
}

function applyYarnResolutions(file: string): void {
  const { resolutions, ...rest } = packageJsonSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const own = { ...rest.optionalDependencies, ...rest.dependencies };
  const overrides = Object.entries(resolutions).map(([pattern, version]) => {
    const name = pattern.replace(/^\*\*\//, '');
    return [name, name in own ? `$${name}` : version];
  });
  const all = { ...Object.fromEntries(overrides), 'mock-knex': '0.4.13' };
  writeFileSync(file, JSON.stringify({ ...rest, overrides: all, devDependencies: {} }, null, 2));
}

const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
  });
