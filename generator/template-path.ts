import { createRequire } from 'node:module';

/** Path of a compiled template, whether this module runs from source or from `dist`. */
export function templatePath(name: string): string {
  return createRequire(import.meta.url).resolve(`#dist/templates/${name}`);
}
