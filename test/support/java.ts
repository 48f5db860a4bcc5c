import { spawnSync } from 'node:child_process';

/** Whether this machine can run Java. */
export const hasJava = (): boolean => spawnSync('java', ['-version'], { stdio: 'ignore' }).status === 0;

/** Test files that need Java. */
export const javaSuites = ['test/browser/nu-checker.test.ts'];

/** The message of a test run without Java; null if it is there. */
export const leftOutWithoutJava = (): string | null =>
  hasJava() ? null : 'left out: pages as the Nu Html Checker judges them (no java on the PATH)';
