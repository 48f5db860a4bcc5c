import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { corpusDir, corpusSuites } from './test/support/corpus.ts';
import { hasJava, javaSuites } from './test/support/java.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { slowSuites } from './test/support/slow-suites.ts';
import { temporaryFolder } from './test/support/temporary-folder.ts';

const slow = slowSuites();
const leftOut = [
  ...configDefaults.exclude,
  ...(corpusDir() === null ? corpusSuites : []),
  ...(hasJava() ? [] : javaSuites),
];
const shared = {
  env: temporaryFolder(),
  // What is waited for is there as soon as it is: only a test that fails takes as long as this.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    projects: [
      // Most of their time would be loading modules, so suites that follow one another in a process share these.
      {
        test: {
          ...shared,
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: [...leftOut, ...slow],
          isolate: false,
        },
      },
      { test: { ...shared, name: 'slow', include: slow, exclude: leftOut } },
    ],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/build.ts'],
    // A third of what tests do is waiting for servers and browsers, so a small machine has room for one more.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
});
