import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'test';

/**
 * Suites with a comment at the top that begins with `Slow:` and gives the reason. Paths from the root of the checkout.
 */
export function slowSuites(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .filter((file) => /^\/\/ Slow: /m.test(readFileSync(file, 'utf8').slice(0, 2_000)));
}
