import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { modelsLeftOut } from './aws-model.ts';
import { leftOut } from './corpus.ts';
import { leftOutWithoutJava } from './java.ts';
import { installTools } from './tools.ts';

/**
 * Worker threads and the compiled templates are loaded from `dist`, so every test run begins with a build. What its suites
 * need of the machine is installed then, too: side by side, suites would be in each other's way.
 */
export default function setup({ vitest }: TestProject): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  for (const notice of [leftOut(), modelsLeftOut(), leftOutWithoutJava()])
    if (notice !== null) console.warn(notice);
  installTools(vitest.state.getPaths());
}
