import { execFileSync } from 'node:child_process';
import { modelsLeftOut } from './aws-model.ts';
import { leftOut } from './corpus.ts';
import { leftOutWithoutJava } from './java.ts';

/** Worker threads and the compiled templates are loaded from `dist`, so every test run begins with a build. */
export default function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  for (const notice of [leftOut(), modelsLeftOut(), leftOutWithoutJava()])
    if (notice !== null) console.warn(notice);
}
