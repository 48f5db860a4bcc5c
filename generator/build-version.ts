import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Fingerprint of the code, templates, words and dependencies that turn a site into files. A blog that was built with
 * another fingerprint is rebuilt.
 */
export function generatorVersion(): string {
  const dist = dirname(dirname(createRequire(import.meta.url).resolve('#dist/generator/build-version.js')));
  const hash = createHash('sha256');
  for (const folder of ['generator', 'templates']) {
    const names = readdirSync(join(dist, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter(makesPages).sort()) {
      hash.update(name).update(readFileSync(join(dist, folder, name)));
    }
  }
  // The declared dependencies, the lock file, and what npm has installed.
  for (const name of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']) {
    const file = join(dist, '..', name);
    if (existsSync(file)) hash.update(name).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** The templates of the guides make no page of a blog. */
const makesPages = (name: string): boolean => /\.js(?:on)?$/.test(name) && !/^guides[\\/]/.test(name);
