import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { mdsvex } from 'mdsvex';
import { compile, preprocess } from 'svelte/compiler';

/**
 * Comments by which Svelte finds its blocks again in a browser, where no page here has one: `<!--[-->`, `<!--[0-->`,
 * `<!--]-->`, `<!---->`. What Svelte writes of them while it renders, `fillPlaces` takes out.
 */
const HYDRATION_MARK = /<!--(?:\[(?:!|-?\d+)?|\])?-->/g;

/**
 * Compiles a theme whose `source` and `target` lie as deep in the source tree as in the tree of compiled modules, so
 * that it may import from the generator: every `.svelte`, `.svx` and `.css` file below `source`, and every `.ts` file in its folder
 * `scripts`, becomes an ES module at the same place below `target`, and every other file below `target` is removed.
 * Nothing is written unless all compile.
 *
 * @throws Error whose message names the file, the line and the column that do not compile
 */
export async function compileTheme(source: string, target: string): Promise<void> {
  const modules = new Map<string, string>();
  for (const file of (await readdir(source, { recursive: true })).sort()) {
    const path = modulePath(file);
    if (path !== null) modules.set(path, await compileFile(source, file));
  }
  for (const [path, code] of modules) await writeChanged(join(target, path), code);
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !modules.has(path.slice(join(target, '/').length))) await rm(path);
  }
}

/** `layouts/post.svelte` -> `layouts/post.js`, `theme.css` -> `theme.css.js`; null for what is no template. */
function modulePath(file: string): string | null {
  if (/\.(svelte|svx)$/.test(file)) return file.replace(/\.[a-z]+$/, '.js');
  if (/^scripts\/[^.]+\.ts$/.test(file)) return file.replace(/\.ts$/, '.js');
  return file.endsWith('.css') ? `${file}.js` : null;
}

async function compileFile(folder: string, file: string): Promise<string> {
  if (file.endsWith('.ts')) return textModule(await bundle(join(folder, file)));
  const source = await readFile(join(folder, file), 'utf8');
  if (file.endsWith('.css')) return textModule(squeeze(source));
  try {
    const markup = file.endsWith('.svx') ? await expandMarkdown(file, source) : source;
    const { js } = compile(markup, { filename: file, name: componentName(file), generate: 'server' });
    return js.code
      .replace(HYDRATION_MARK, '')
      .replace(/^(import .*?')(\.{1,2}\/[^']+)(';)$/gm, (line, start: string, path: string, end: string) => {
        const compiled = /\.ts(\?script)?$/.test(path)
          ? path.replace(/\.ts(\?script)?$/, '.js')
          : modulePath(path);
        return compiled === null ? line : `${start}${compiled}${end}`;
      });
  } catch (error) {
    throw new Error(describe(file, error), { cause: error });
  }
}

const textModule = (text: string): string => `export default ${JSON.stringify(text)};\n`;

/** A script for browsers, with all that it imports, as one text that can stand in a page. */
async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return (outputFiles[0]?.text ?? '').trim();
}

async function expandMarkdown(file: string, source: string): Promise<string> {
  return (await preprocess(source, mdsvex({ extensions: ['.svx'], highlight: false }), { filename: file }))
    .code;
}

function componentName(file: string): string {
  const words = basename(file).replace(/\..*$/, '').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Every page carries the stylesheet, so comments and indentation stay behind. */
function squeeze(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .trim();
}

/** A file that has not changed is left alone: another process may be reading it. */
async function writeChanged(path: string, content: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) === content) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** For an `.svx` file the line is that of the component it expands to, which the excerpt below it shows. */
function describe(file: string, error: unknown): string {
  if (!(error instanceof Error)) return `templates/${file}: ${String(error)}`;
  return `templates/${file}${position(error)}: ${error.message}${excerpt(error)}`;
}

function position(error: Error): string {
  if (!('start' in error) || typeof error.start !== 'object' || error.start === null) return '';
  const { start } = error;
  return 'line' in start && 'column' in start ? `:${start.line}:${start.column}` : '';
}

function excerpt(error: Error): string {
  return 'frame' in error && typeof error.frame === 'string' ? `\n${error.frame}` : '';
}
