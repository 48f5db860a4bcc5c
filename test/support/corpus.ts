import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dir = process.env.PLATEN_CORPUS ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url));

/**
 * The folder of real posts, conformance suites and hostile inputs that belong to others and are never part of this
 * repository: `PLATEN_CORPUS`, or `../shared/corpus` beside the checkout. Null if it is missing: suites that need it
 * are left out, and our own fixtures still cover every behaviour.
 */
export const corpusDir = (): string | null => (existsSync(dir) ? dir : null);

/** Test files that need the corpus. */
export const corpusSuites = ['test/conformance/**', 'test/**/corpus.test.ts'];

/** The message of a test run without the corpus; null if it is there. */
export const leftOut = (): string | null =>
  corpusDir() === null
    ? `left out: suites over the corpus (no folder at ${dir}; PLATEN_CORPUS names another)`
    : null;
