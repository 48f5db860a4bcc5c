import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { corpusDir, corpusSuites } from './test/support/corpus.ts';
import { hasJava, javaSuites } from './test/support/java.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { slowSuites } from './test/support/slow-suites.ts';
import { temporaryFolder } from './test/support/temporary-folder.ts';

/** `--mode quick` leaves out the suites whose header says that they are slow. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...(corpusDir() === null ? corpusSuites : []),
      ...(hasJava() ? [] : javaSuites),
      ...(mode === 'quick' ? slowSuites() : []),
    ],
    sequence: { sequencer: LongestFirst },
    env: temporaryFolder(),
    globalSetup: ['test/support/build.ts'],
    // Half of what tests do is waiting for servers and browsers: on a small machine, too, two of them fill the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // What is waited for is there as soon as it is: only a test that fails takes as long as this.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
}));
