import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.ts';

const TIMEOUT_MS = 300_000;
/** Dependencies are resolved as of this day, so that every machine measures the same code. */
const AS_OF = '2026-10-01';

export interface NpmOptions {
  /** Whether packages may run install scripts, which native modules need. */
  readonly allowScripts?: boolean;
}

/**
 * Path of a `node_modules` folder with packages that only a benchmark needs, installed from npm into the user's cache
 * at the first call. Throws if npm cannot install them.
 */
export function npmFolder(
  name: string,
  packages: readonly string[],
  { allowScripts = false }: NpmOptions = {},
): string {
  const folder = cacheFolder(name);
  // npm writes this file last.
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return join(folder, 'node_modules');
  console.error(`installing ${packages.join(' ')} from npm into ${folder}\n`);
  const quietly = ['--no-audit', '--no-fund', '--loglevel', 'error'];
  const args = ['install', '--prefix', folder, `--before=${AS_OF}`, ...quietly, ...packages];
  try {
    execFileSync('npm', allowScripts ? args : [...args, '--ignore-scripts'], {
      stdio: 'ignore',
      timeout: TIMEOUT_MS,
    });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`${packages.join(' ')} could not be installed from npm`);
  }
  return join(folder, 'node_modules');
}
