import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { mdsvex } from 'mdsvex';
import { compile, preprocess } from 'svelte/compiler';
import { fenceHtml } from './guides/fence.ts';

/**
 * Svelte's hydration comments: `<!--[-->`, `<!--[0-->`, `<!--]-->`, `<!---->`. Pages are never hydrated, so they are
 * removed from the compiled code; `fillPlaceholders` removes those that Svelte adds while it renders.
 */
const HYDRATION_MARK = /<!--(?:\[(?:!|-?\d+)?|\])?-->/g;

/**
 * Compiles a theme: every `.svelte`, `.svx` and `.css` file below `source`, and every `.ts` file in its folder
 * `scripts`, becomes an ES module at the same relative path below `target`. The catalogues in its folder `words` are
 * copied, and every other file below `target` is removed. `source` and `target` must be equally deep in their trees, so
 * that imports from the generator resolve. Nothing is written unless every file compiles.
 *
 * @throws Error whose message names file, line and column of what does not compile
 */
export async function compileTheme(source: string, target: string): Promise<void> {
  const modules = new Map<string, string>();
  for (const file of (await readdir(source, { recursive: true })).sort()) {
    const path = modulePath(file);
    if (path !== null) modules.set(path, await compileFile(source, file));
  }
  for (const [path, code] of modules) await writeIfChanged(join(target, path), code);
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !modules.has(path.slice(join(target, '/').length))) await rm(path);
  }
}

/**
 * `layouts/post.svelte` -> `layouts/post.js`, `theme.css` -> `theme.css.js`, `words/de.json` as it is; null if the file
 * is none of these.
 */
function modulePath(file: string): string | null {
  if (/\.(svelte|svx)$/.test(file)) return file.replace(/\.[a-z]+$/, '.js');
  if (/^(?:guides\/)?scripts\/[^.]+\.ts$/.test(file)) return file.replace(/\.ts$/, '.js');
  if (/^words\/[^.]+\.json$/.test(file)) return file;
  return file.endsWith('.css') ? `${file}.js` : null;
}

async function compileFile(folder: string, file: string): Promise<string> {
  if (file.endsWith('.ts')) return textModule(await bundleScript(join(folder, file)));
  const source = await readFile(join(folder, file), 'utf8');
  if (file.endsWith('.css')) return textModule(minifyCss(source));
  if (file.endsWith('.json')) return checkedCatalogue(file, source);
  return compileComponent(`templates/${file}`, source);
}

/**
 * Compiles a Svelte component, or Markdown (`.svx`, `.md`) that mdsvex turns into one, to an ES module that renders it.
 *
 * @throws Error whose message names file, line and column of what does not compile
 */
export async function compileComponent(file: string, source: string): Promise<string> {
  try {
    const markup = /\.(?:svx|md)$/.test(file) ? await expandMarkdown(file, source) : source;
    const { js } = compile(markup, { filename: file, name: componentName(file), generate: 'server' });
    return js.code
      .replace(HYDRATION_MARK, '')
      .replace(
        /^((?:import|\} from) .*?')(\.{1,2}\/[^']+)(';)$/gm,
        (line, start: string, path: string, end: string) => {
          const compiled = /\.ts(\?script)?$/.test(path)
            ? path.replace(/\.ts(\?script)?$/, '.js')
            : modulePath(path);
          return compiled === null ? line : `${start}${compiled}${end}`;
        },
      );
  } catch (error) {
    throw new Error(compileErrorMessage(file, error), { cause: error });
  }
}

/** Returns a catalogue unchanged if it is an object of texts. */
function checkedCatalogue(file: string, source: string): string {
  try {
    const words: unknown = JSON.parse(source);
    if (typeof words !== 'object' || words === null || Array.isArray(words)) throw new Error('not an object');
    const wrong = Object.entries(words).find(([, word]) => typeof word !== 'string');
    if (wrong) throw new Error(`"${wrong[0]}" is not a text`);
    return source;
  } catch (error) {
    throw new Error(compileErrorMessage(file, error), { cause: error });
  }
}

const textModule = (text: string): string => `export default ${JSON.stringify(text)};\n`;

/** Bundles a browser script with its imports into one minified script for inlining. */
async function bundleScript(file: string): Promise<string> {
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
  const options = { extensions: ['.svx', '.md'], smartypants: false, highlight: { highlighter } };
  return (await preprocess(source, mdsvex(options), { filename: file })).code;
}

const highlighter = (code: string, language?: string | null, info?: string | null): string =>
  fenceHtml(code, language ?? '', info ?? '');

function componentName(file: string): string {
  const words = basename(file).replace(/\..*$/, '').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Minifies a stylesheet, because every page contains it. */
function minifyCss(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .trim();
}

/** Does not rewrite an unchanged file, because another process may be reading it. */
async function writeIfChanged(path: string, content: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) === content) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** Message with position and excerpt. For an `.svx` file they refer to the Svelte component that it expands to. */
function compileErrorMessage(file: string, error: unknown): string {
  if (!(error instanceof Error)) return `${file}: ${String(error)}`;
  return `${file}${position(error)}: ${error.message}${excerpt(error)}`;
}

function position(error: Error): string {
  if (!('start' in error) || typeof error.start !== 'object' || error.start === null) return '';
  const { start } = error;
  return 'line' in start && 'column' in start ? `:${start.line}:${start.column}` : '';
}

function excerpt(error: Error): string {
  return 'frame' in error && typeof error.frame === 'string' ? `\n${error.frame}` : '';
}
