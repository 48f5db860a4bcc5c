import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { edgeKinds } from '../generator/edge/edge-kinds.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Every folder (or file) of the house, lowest first: what a module imports, types included, stands in its own entry or
 * in an earlier one. A module belongs to the longest entry that its path begins with.
 */
const order = [
  // The generator: a site in, files out.
  'generator/colours.ts',
  'generator/dates.ts',
  'generator/shown-name.ts',
  'generator/nearest-name.ts',
  'generator/srcset.ts',
  'generator/site',
  'generator/preview-image.ts',
  'generator/icon-files.ts',
  'generator/edge-paths.ts',
  'generator/addresses.ts',
  'generator/upload-order.ts',
  'generator/page.ts',
  'generator/plan.ts',
  'generator/build-version.ts',
  'generator/template-path.ts',
  'generator/sync-to-disk.ts',
  'generator/workers',
  'generator/markdown',
  'generator/words',
  'generator/search',
  'generator/layouts',
  'generator/theme',
  'generator/feeds',
  'generator/render',
  'generator/previews',
  'generator/owner-html',
  'generator/cards',
  'generator/pages',
  'generator/edge',
  'generator/build.ts',
  // Programs that use the API. They import nothing of the server, which serves one of them itself.
  'clients/sdk/generated',
  'clients/sdk',
  'clients/mcp',
  'clients/cli/folder',
  'clients/cli/deploy',
  'clients/cli/dev',
  'clients/cli/downloads',
  'clients/cli/imports',
  'clients/cli/exports',
  'clients/cli/terminal',
  'clients/cli/profiles',
  'clients/cli/command-line',
  'clients/cli/completion',
  'clients/cli/answers',
  'clients/cli/commands',
  'clients/cli',
  // What every concept of the server stands on.
  'server/runtime',
  'server/database',
  'server/tiers',
  'server/access',
  'server/journal',
  'server/wire',
  'server/input',
  'server/http',
  'server/addresses',
  'server/config',
  // Concepts.
  'server/edge',
  'server/lists',
  'server/published',
  'server/rebuilds',
  'server/take-downs',
  'server/blogs',
  'server/domains',
  'server/redirects',
  'server/credentials',
  'server/accounts',
  'server/search-index',
  'server/image-processing',
  'server/media',
  'server/content',
  'server/search',
  'server/packs',
  'server/posts',
  'server/rerendering',
  'server/revisions',
  'server/previews',
  'server/removal',
  'server/analytics',
  'server/exports',
  // From the database to the edge.
  'server/site',
  'server/build',
  'server/builder',
  // The whole.
  'server/installation',
  'server/guides',
  'server/openapi',
  'server/mcp',
  'server/compose.ts',
  'server/upkeep',
  'server/jobs.ts',
  'server/admin',
  'server/app.ts',
  'server/scheduler.ts',
  'server/platen.ts',
  'server/main.ts',
  // What runs the whole from outside.
  'scripts/tools',
  'scripts/demo',
  'scripts/guides',
  'scripts/sdk-types',
  'scripts/packages',
  'scripts/bench/support',
  'scripts/bench/seed',
  'scripts/bench/load',
  'scripts/bench/rivals',
  'scripts/bench/readers',
  'scripts/bench/live',
  'scripts/bench/api',
  'scripts/bench/s3',
  'scripts/bench/children',
  'scripts/bench',
  'scripts',
];

/** What a package gives; the server gives the tools of an agent over HTTP itself. */
const clientEntries = ['clients/sdk/index.ts', 'clients/mcp/index.ts'];

/** The command line starts it, too. */
const MCP_OVER_STDIO = 'clients/mcp/serve-stdio.ts';

/** The parts of a concept, lowest first. A file that is named for none of them is a rule or a service. */
const routes = /(^|-)routes\.ts$/;
const schemas = /(^|-)schemas?\.ts$/;
const store = /(^|-)store\.ts$/;

const files = ['server', 'generator', 'scripts', 'clients'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name).split(sep).join('/')),
);
const templates = readdirSync(join(root, 'templates'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:svelte|svx|ts)$/.test(name))
  .map((name) => join('templates', name).split(sep).join('/'));
const imports = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })));

describe('imports, those of types included', () => {
  test('point from a folder to itself or to one below it', () => {
    const backward = imports.filter(({ file, target }) => placeOf(target) > placeOf(file));
    expect(backward.map(inWords)).toEqual([]);
  });

  test('of a client lead to itself and to the entry of the SDK', () => {
    const wrong = imports.filter(({ file, target }) => {
      const [own] = /^clients\/[^/]+\//.exec(file) ?? [];
      const isLent =
        target === 'clients/sdk/index.ts' || (own === 'clients/cli/' && target === MCP_OVER_STDIO);
      return own !== undefined && !target.startsWith(own) && !isLent;
    });
    expect(wrong.map(inWords)).toEqual([]);
    const strangers = imports.filter(
      ({ file, target }) => !file.startsWith('clients/') && target.startsWith('clients/'),
    );
    const inside = strangers.filter(({ target }) => !clientEntries.includes(target));
    // The demo and a benchmark deploy a folder as the command does.
    const allowed = /^scripts\/(?:demo|bench)[/.].* imports clients\/cli\/deploy\//;
    expect(inside.map(inWords).filter((words) => !allowed.test(words))).toEqual([]);
    const packages = files.filter((file) => file.startsWith('clients/sdk/')).flatMap(packagesOf);
    expect(packages).toEqual([]);
  });

  test('never lead from a module back to itself', () => {
    expect(circles()).toEqual([]);
  });

  test('within a concept run from routes to services to stores, and schemas use neither of the latter', () => {
    const concepts = imports.filter(
      ({ file, target }) => file.startsWith('server/') && dirname(file) === dirname(target),
    );
    const wrong = concepts.filter(({ file, target }) => {
      const [from, to] = [basename(file), basename(target)];
      if (schemas.test(from)) return store.test(to) || routes.test(to);
      if (store.test(from)) return schemas.test(to) || routes.test(to);
      return routes.test(to);
    });
    expect(wrong.map(inWords)).toEqual([]);
  });

  test('of a template lead to templates, and to nothing above what loads them', () => {
    const loader = (file: string) =>
      file.startsWith('templates/guides/') ? 'scripts/guides' : 'generator/theme';
    const wrong = templates
      .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
      .filter(({ target }) => !target.startsWith('templates/'))
      .filter(({ file, target }) => placeOf(target) < 0 || placeOf(target) > order.indexOf(loader(file)));
    expect(templates.length).toBeGreaterThan(30);
    expect(wrong.map(inWords)).toEqual([]);
  });

  test('of a migration are Kysely, Node and other parts of the same migration', () => {
    const migrations = 'server/database/sqlite/migrations/';
    const wrong = imports.filter(
      ({ file, target }) => file.startsWith(migrations) && !target.startsWith(migrations),
    );
    expect(wrong.map(inWords)).toEqual([]);
    const packages = files
      .filter((file) => file.startsWith(migrations) && basename(file) !== 'registry.ts')
      .flatMap((file) => packagesOf(file).map((target) => ({ file, target })));
    expect(packages.filter(({ target }) => !/^(?:kysely$|node:)/.test(target)).map(inWords)).toEqual([]);
  });
});

test('a module is named for one subject: there is no barrel and no drawer for the rest', () => {
  // What a package gives is not where its modules import from.
  const inside = files.filter((file) => !clientEntries.includes(file));
  expect(inside.filter((file) => /\/(?:index|utils?|helpers?|common|misc)\.ts$/.test(file))).toEqual([]);
  expect(inside.filter((file) => /^export (?:type )?\* from/m.test(source(file)))).toEqual([]);
  const users = imports.filter(
    ({ file, target }) => clientEntries.includes(target) && file.startsWith(dirname(target)),
  );
  expect(users.map(inWords)).toEqual([]);
});

test('every folder is in the list `order` above, and nothing else is', () => {
  expect(files.filter((file) => entryOf(file) === undefined)).toEqual([]);
  expect(order.filter((entry) => !files.some((file) => entryOf(file) === entry))).toEqual([]);
});

test('a folder of the server, the generator or a client holds at most sixteen modules', () => {
  const sizes = new Map<string, number>();
  for (const file of files) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  const large = [...sizes].filter(([folder, size]) => !folder.startsWith('scripts') && size > 16);
  expect(large).toEqual([]);
});

test('only the configuration reads the environment', () => {
  const readers = files.filter(
    (file) =>
      !file.startsWith('scripts/') &&
      /process\??\.env|\benv\b[^;]*(?:from 'node:process'|= process\b)/.test(source(file)),
  );
  expect(readers.sort()).toEqual([
    'clients/cli/main.ts',
    'clients/sdk/settings.ts',
    'server/admin/main.ts',
    'server/main.ts',
  ]);
});

test('only an edge kind itself asks which kind an edge is of', () => {
  const kinds = Object.keys(edgeKinds);
  const question = new RegExp(`(?:[!=]==? |case )'(?:${kinds.join('|')})'|'(?:${kinds.join('|')})' [!=]==?`);
  const askers = files.filter((file) => question.test(source(file)));
  expect(askers).toEqual(['generator/edge/s3-kind.ts']);
});

test('only generator/edge-paths.ts names the folders of an edge', () => {
  const folder = /(?<=['`])(?:sites|hosts|media)\//;
  const places = files.filter((file) => folder.test(source(file).replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')));
  expect(places).toEqual(['generator/edge-paths.ts']);
});

/** Drivers, functions and statements that SQLite has and PostgreSQL has not. */
const sqliteOnly =
  /better-sqlite3|SqliteDialect|SQLITE_FULL|json_(each|group|tree|extract)|\b(rowid|unixepoch|strftime|julianday|pragma|bm25|fts5|total_changes)\b|insert or |orReplace|vacuum|begin (immediate|exclusive)|search_words|collate nocase/i;

test('what only SQLite understands stands in server/database/sqlite; the lock file and a benchmark that reads a server’s file use the driver', () => {
  const places = files.filter(
    (file) => !file.startsWith('server/database/sqlite/') && sqliteOnly.test(source(file)),
  );
  expect(places.sort()).toEqual(['scripts/bench/live/post-positions.ts', 'server/runtime/lock.ts']);
  const insiders = imports.filter(
    ({ file, target }) =>
      target.startsWith('server/database/sqlite/') && !file.startsWith('server/database/sqlite/'),
  );
  expect(new Set(insiders.map(({ file }) => file))).toEqual(new Set(['server/database/dialect.ts']));
});

function circles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (done.has(file) || path.includes(file)) return;
    for (const target of importsOf(file)) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  return found;
}

function inWords({ file, target }: { file: string; target: string }): string {
  return `${file} imports ${target}`;
}

function source(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function entryOf(file: string): string | undefined {
  const entries = order.filter((entry) => file === entry || file.startsWith(`${entry}/`));
  return entries.sort((a, b) => b.length - a.length)[0];
}

/** Where a module stands in the order. What is not in it, such as a script of the theme, stands below everything. */
function placeOf(file: string): number {
  const entry = entryOf(file);
  return entry === undefined ? -1 : order.indexOf(entry);
}

/** Modules of ours that a file imports, also for their types alone. */
function importsOf(file: string): string[] {
  return importedBy(file)
    .filter((name) => name.startsWith('.'))
    .map((name) =>
      relative(root, resolve(root, dirname(file), name))
        .split(sep)
        .join('/'),
    );
}

const packagesOf = (file: string): string[] => importedBy(file).filter((name) => !name.startsWith('.'));

function importedBy(file: string): string[] {
  const text = source(file);
  const isScript = file.endsWith('.ts');
  const scripts = isScript
    ? [text]
    : [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, code]) => code);
  return scripts.flatMap((code = '') =>
    ts.preProcessFile(code).importedFiles.map(({ fileName }) => fileName),
  );
}
