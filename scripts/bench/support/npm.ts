import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.ts';

const PATIENCE_MS = 300_000;
/** What the packages depend on is taken as it was on this day, so that every machine measures the same. */
const AS_OF = '2026-10-01';

export interface NpmOptions {
  /** Whether packages may run scripts when they are installed, as those do that compile something. */
  readonly scripts?: boolean;
}

/**
 * The folder of packages that only a benchmark has a use for (`node_modules`), installed from npm into the user's cache
 * where they are not there yet. Throws where npm cannot.
 */
export function npmFolder(
  name: string,
  packages: readonly string[],
  { scripts = false }: NpmOptions = {},
): string {
  const folder = cacheFolder(name);
  // Written by npm when all is in place.
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return join(folder, 'node_modules');
  console.error(`${packages.join(' ')}: installed from npm into ${folder}\n`);
  const quietly = ['--no-audit', '--no-fund', '--loglevel', 'error'];
  const args = ['install', '--prefix', folder, `--before=${AS_OF}`, ...quietly, ...packages];
  try {
    execFileSync('npm', scripts ? args : [...args, '--ignore-scripts'], {
      stdio: 'ignore',
      timeout: PATIENCE_MS,
    });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`${packages.join(' ')} could not be installed from npm`);
  }
  return join(folder, 'node_modules');
}
