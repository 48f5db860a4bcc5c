import { configDefaults, defineConfig } from 'vitest/config';
import { corpusDir, corpusSuites } from './test/support/corpus.ts';
import { hasJava, javaSuites } from './test/support/java.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...(corpusDir() === null ? corpusSuites : []),
      ...(hasJava() ? [] : javaSuites),
    ],
    globalSetup: ['test/support/build.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
