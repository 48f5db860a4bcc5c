import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Modules that each directory may import from, besides itself. A file belongs to the longest of these names that its
 * path begins with. The order is the dependency direction: data and calls flow one way through the code.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'server/main.ts': ['server/platen.ts', 'server', 'server/services'],
  'server/platen.ts': [
    'server/app.ts',
    'server/compose.ts',
    'server',
    'server/http',
    'server/jobs',
    'server/rebuild',
    'server/services',
    'server/upkeep',
    'generator',
    'generator/render',
  ],
  'server/admin/main.ts': ['server/admin', 'server/compose.ts', 'server'],
  'server/admin': ['server', 'server/domain', 'server/upkeep'],
  'server/app.ts': ['server/compose.ts', 'server/http', 'server/openapi', 'server/domain'],
  'server/openapi': ['server/http', 'server/schemas', 'server/domain'],
  'server/compose.ts': [
    'server',
    'server/rebuild',
    'server/services',
    'server/images',
    'server/store',
    'generator',
    'generator/edge',
    'generator/markdown',
    'generator/render',
    'generator/render/layout',
    'generator/render/owner-html',
    'generator/render/preview',
  ],
  'server/http': [
    'server',
    'server/runtime/event-loop-tick.ts',
    'server/schemas',
    'server/services',
    'server/domain',
    'generator',
    'generator/edge',
  ],
  'server/schemas': ['server/domain'],
  'server/services': [
    'server',
    'server/store',
    'server/domain',
    'server/images',
    'generator/markdown',
    'generator/pool',
    'generator/render/layout',
    'generator/render/owner-html',
    'generator/render/preview',
    'generator/search',
    'generator',
  ],
  'server/images': ['server/domain', 'generator'],
  'server/jobs': ['server', 'server/store', 'server/services'],
  'server/rebuild': [
    'server',
    'server/store',
    'server/domain',
    'generator',
    'generator/edge',
    'generator/markdown',
    'generator/pages',
    'generator/pool',
    'generator/build.ts',
    'generator/render',
    'generator/render/layout',
    'generator/render/og-card',
    'generator/search',
  ],
  'server/upkeep': [
    'server',
    'server/rebuild',
    'server/store',
    'server/domain',
    'generator',
    'generator/edge',
    'generator/pages',
    'generator/build.ts',
    'generator/render',
    'generator/render/layout',
    'generator/search',
  ],
  'server/store': [
    'server/runtime/event-loop-tick.ts',
    'server/domain',
    'generator',
    'generator/pages',
    'generator/search',
  ],
  'server/domain': ['generator/markdown'],
  'server/runtime/event-loop-tick.ts': [],
  // Shared by the whole server: configuration, clock, log.
  server: ['server/domain', 'generator'],
  'generator/pages': ['generator', 'generator/render/og-card'],
  'generator/edge': ['generator'],
  'generator/render': ['generator', 'generator/render/og-card', 'generator/markdown', 'generator/search'],
  'generator/render/layout': ['generator', 'generator/render', 'generator/markdown', 'generator/pool'],
  'generator/render/owner-html': ['generator/pool'],
  'generator/render/preview': [
    'generator',
    'generator/render',
    'generator/render/layout',
    'generator/markdown',
    'generator/pool',
  ],
  'generator/render/og-card': ['generator', 'generator/markdown', 'generator/pool'],
  'generator/markdown': ['generator/pool'],
  'generator/pool': [],
  'generator/search': [],
  'generator/build.ts': ['generator', 'generator/edge', 'generator/pages'],
  generator: [],
};

const files = ['server', 'generator'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name).split(sep).join('/')),
);

test('every import follows the allowed dependency direction between directories', () => {
  const wrong = files.flatMap((file) => {
    const from = roomOf(file);
    return importsOf(file)
      .filter((target) => roomOf(target) !== from && !rooms[from]?.includes(roomOf(target)))
      .map((target) => `${file} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('no module imports itself through other modules', () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (done.has(file) || path.includes(file)) return;
    for (const target of importsOf(file)) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  expect(circles).toEqual([]);
});

test('only the configuration reads the environment, and only the stores contain SQL', () => {
  const source = (file: string) => readFileSync(join(root, file), 'utf8');
  const inServer = files.filter((file) => file.startsWith('server/') || file.startsWith('generator/'));
  const readers = inServer.filter((file) => source(file).includes('process.env'));
  expect(readers.sort()).toEqual(['server/admin/main.ts', 'server/main.ts']);
  const speakers = inServer.filter((file) => /from '(kysely|better-sqlite3)'/.test(source(file)));
  expect(speakers.filter((file) => !file.startsWith('server/store/'))).toEqual(['server/runtime/lock.ts']);
});

function roomOf(file: string): string {
  const names = Object.keys(rooms).filter((name) => file === name || file.startsWith(`${name}/`));
  return names.sort((a, b) => b.length - a.length)[0] ?? file;
}

/** Own modules that a file imports for more than types: type imports are erased, so they may point anywhere. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/^import type [^;]*;/gm, '');
  return ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) =>
      relative(root, resolve(root, dirname(file), name))
        .split(sep)
        .join('/'),
    );
}
