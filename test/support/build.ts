import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { modelsLeftOut } from './aws-model.ts';
import { leftOut } from './corpus.ts';
import { leftOutWithoutJava } from './java.ts';
import { installTools } from './tools.ts';

/**
 * Worker threads and compiled templates are loaded from `dist`, so every test run starts with a build. It also
 * installs what its suites need of the machine here, since suites that run in parallel would conflict.
 */
export default function setup({ vitest }: TestProject): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  for (const notice of [leftOut(), modelsLeftOut(), leftOutWithoutJava()])
    if (notice !== null) console.warn(notice);
  installTools(vitest.state.getPaths());
}
