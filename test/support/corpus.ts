import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The folder of real posts, conformance suites and hostile inputs that belong to others and are never part of
 * this repository: `PLATEN_CORPUS`, or `../shared/corpus` beside the checkout. Null, and one line that says so,
 * where there is none; every behaviour is then still covered by fixtures of our own.
 */
export function corpusDir(): string | null {
  const dir = process.env.PLATEN_CORPUS ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url));
  if (existsSync(dir)) return dir;
  console.warn(`left out: suites over the corpus (no folder at ${dir}; set PLATEN_CORPUS to run them)`);
  return null;
}
