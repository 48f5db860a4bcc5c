import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dir = process.env.PLATEN_CORPUS ?? fileURLToPath(new URL('../../../shared/corpus', import.meta.url));

/**
 * The folder of real posts, conformance suites and hostile inputs that belong to others and are never part of
 * this repository: `PLATEN_CORPUS`, or `../shared/corpus` beside the checkout. Null where there is none: suites over
 * it are then left out, and every behaviour is still covered by fixtures of our own.
 */
export const corpusDir = (): string | null => (existsSync(dir) ? dir : null);

/** Test files that are about nothing but the corpus. */
export const corpusSuites = ['test/conformance/**', 'test/**/corpus.test.ts'];

/** What a test run says where suites are left out; null where none are. */
export const leftOut = (): string | null =>
  corpusDir() === null
    ? `left out: suites over the corpus (no folder at ${dir}; PLATEN_CORPUS names another)`
    : null;
