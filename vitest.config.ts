import { configDefaults, defineConfig } from 'vitest/config';
import { corpusDir, corpusSuites } from './test/support/corpus.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(corpusDir() === null ? corpusSuites : [])],
    globalSetup: ['test/support/build.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
