import { createRequire } from 'node:module';

/** Where a compiled template lies, from source and from `dist` alike. */
export function templatePath(name: string): string {
  return createRequire(import.meta.url).resolve(`#dist/templates/${name}`);
}
