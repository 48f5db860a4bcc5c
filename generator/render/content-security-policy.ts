import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { templatePath } from './template-path.ts';

/** The theme's scripts that stand in pages. */
const scripts = ['scheme', 'contents', 'copy-code'];

/**
 * What a page may do, for the header of every edge that serves it: run the theme's own scripts and no other, and frame
 * nothing but videos. Styles stand in the page, also as attributes within formulas, where no author can reach them.
 */
export async function contentSecurityPolicy(): Promise<string> {
  const hashes = await Promise.all(scripts.map(hashOf));
  return (
    `default-src 'none'; script-src ${hashes.join(' ')}; style-src 'unsafe-inline'; img-src * data:; media-src *; ` +
    "frame-src https://www.youtube-nocookie.com; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
  );
}

async function hashOf(script: string): Promise<string> {
  const module: unknown = await import(pathToFileURL(templatePath(`scripts/${script}.js`)).href);
  if (
    typeof module === 'object' &&
    module !== null &&
    'default' in module &&
    typeof module.default === 'string'
  ) {
    return `'sha256-${createHash('sha256').update(module.default).digest('base64')}'`;
  }
  throw new Error(`The compiled script ${script} has no text`);
}
