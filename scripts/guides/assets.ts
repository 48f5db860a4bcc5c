import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Stylesheets of the theme that guides use, in its order, and their own. */
const STYLES = [
  ...['languages', 'page', 'list', 'prose', 'hues', 'code', 'tables', 'tasks', 'callouts', 'figures'],
  ...['footnotes', 'math', 'contents', 'search', 'beside'],
].map((name) => `styles/${name}.css.js`);

/** Names of the files that pages load. */
export interface AssetNames {
  readonly css: string;
  /** Sets the colour scheme before the first paint. */
  readonly scheme: string;
  /** What a page does after it has loaded. */
  readonly page: string;
  readonly search: string;
  readonly index: string;
}

export interface Assets {
  readonly names: AssetNames;
  /** Contents by name. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * The stylesheet, the scripts and the search index of the guides, from the compiled templates in `dist`. Names contain
 * a hash of the content, so that browsers may keep styles and scripts for ever.
 */
export async function assetsOf(dist: string, index: string): Promise<Assets> {
  const text = async (...names: string[]): Promise<string> =>
    (await Promise.all(names.map((name) => textOfModule(join(dist, 'templates', name))))).join('\n');
  const files = new Map<string, string>();
  const add = (name: string, extension: string, content: string): string => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
    const file = `${name}-${hash}.${extension}`;
    files.set(file, content);
    return file;
  };
  const names = {
    css: add('guides', 'css', await text(...STYLES, 'guides/styles/guides.css.js')),
    scheme: add('scheme', 'js', await text('scripts/scheme.js')),
    page: add('page', 'js', await text('scripts/copy-code.js', 'guides/scripts/moved-reference.js')),
    search: add('search', 'js', await text('guides/scripts/search.js')),
    index: add('search', 'json', index),
  };
  return { names, files };
}

async function textOfModule(file: string): Promise<string> {
  const module: unknown = await import(pathToFileURL(file).href);
  const hasText =
    typeof module === 'object' &&
    module !== null &&
    'default' in module &&
    typeof module.default === 'string';
  if (!hasText) throw new Error(`${file} has no text`);
  return String(module.default);
}
