import { spawnSync } from 'node:child_process';

/** Whether programs for Java can be run here. */
export const hasJava = (): boolean => spawnSync('java', ['-version'], { stdio: 'ignore' }).status === 0;

/** Test files that take Java. */
export const javaSuites = ['test/browser/nu-checker.test.ts'];

/** What a test run says where they are left out; null where they are not. */
export const leftOutWithoutJava = (): string | null =>
  hasJava() ? null : 'left out: pages as the Nu Html Checker judges them (no java on the PATH)';
