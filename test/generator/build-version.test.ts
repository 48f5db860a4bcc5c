import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const compiled = fileURLToPath(new URL('../../dist/generator/build-version.js', import.meta.url));
const manifest = (version: string) =>
  JSON.stringify({ type: 'module', imports: { '#dist/*': './dist/*' }, dependencies: { feed: version } });
const lock = (version: string) => JSON.stringify({ packages: { 'node_modules/feed': { version } } });

/** An installed Platen with very few files. */
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'platen-version-'));
  put('package.json', manifest('^1.0.0'));
  putLocks('1.0.0');
  put('dist/generator/build.js', 'one');
  put('dist/templates/layouts/post.js', 'one');
  put('dist/server/app.js', 'one');
  cpSync(compiled, join(root, 'dist/generator/build-version.js'));
});
afterAll(() => rmSync(root, { recursive: true }));

function put(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** npm records the installed packages in both files. */
function putLocks(version: string): void {
  put('package-lock.json', lock(version));
  put('node_modules/.package-lock.json', lock(version));
}

function versionNow(): string {
  const url = JSON.stringify(pathToFileURL(join(root, 'dist/generator/build-version.js')).href);
  const script = `const { generatorVersion } = await import(${url}); console.log(generatorVersion())`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
}

test('the generator’s version stays the same if no code or data that makes pages has changed', () => {
  const before = versionNow();
  put('dist/server/app.js', 'two');
  put('dist/generator/build.d.ts', 'declarations');
  put('dist/templates/guides/guide.js', 'a guide is no page of a blog');
  expect(versionNow()).toBe(before);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ['the code of the generator', () => put('dist/generator/build.js', 'two')],
  ['a template', () => put('dist/templates/layouts/post.js', 'two')],
  ['the list of templates', () => put('dist/templates/layouts/new.js', '')],
  ['a catalogue of words', () => put('dist/templates/words/de.json', '{"archive":"Archiv"}')],
  ['the declared dependencies', () => put('package.json', manifest('^2.0.0'))],
  ['the installed versions of dependencies', () => putLocks('1.0.1')],
])('the generator’s version differs after a change to %s', (_what, change) => {
  const before = versionNow();
  change();
  expect(versionNow()).not.toBe(before);
});
