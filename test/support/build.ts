import { execFileSync } from 'node:child_process';
import { leftOut } from './corpus.ts';

/** Worker threads and the compiled templates are loaded from `dist`, so every test run begins with a build. */
export default function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const notice = leftOut();
  if (notice !== null) console.warn(notice);
}
