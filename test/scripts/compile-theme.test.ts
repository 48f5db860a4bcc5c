import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compileTheme } from '../../scripts/compile-theme.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-theme-'));
  mkdirSync(join(folder, 'theme'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const compile = () => compileTheme(join(folder, 'theme'), join(folder, 'out'));

function write(name: string, content: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

const output = (name: string) => readFileSync(join(folder, 'out', name), 'utf8');

test('every component, page and stylesheet becomes a module, and they import one another', async () => {
  write(
    'theme/parts/card.svelte',
    '<script lang="ts">let { n }: { n: number } = $props();</script><b>{n}</b>',
  );
  write('theme/card.css', '/* why */\na > b ,\n  i {\n  color: red;\n}\n');
  write(
    'theme/pages/home.svx',
    "<script>\n  import Card from '../../generator/parts/card.svelte';\n  import css from '../../generator/card.css';\n</script>\n\n# Hello *you*\n\n<Card n={css.length} />\n",
  );
  write('theme/notes.txt', 'no template');
  await compile();
  expect(output('parts/card.js')).toContain('export default function Card(');
  expect(output('pages/home.js')).toContain("from '../../generator/parts/card.js'");
  expect(output('pages/home.js')).toContain("from '../../generator/card.css.js'");
  expect(output('pages/home.js')).toContain('<h1>Hello <em>you</em></h1>');
  expect(output('card.css.js')).toBe('export default "a > b,i{color:red;}";\n');
  expect(existsSync(join(folder, 'out/notes.txt'))).toBe(false);
});

test('comments that a browser would need for hydration are left out', async () => {
  write(
    'theme/blocks.svelte',
    '<script lang="ts">import Leaf from \'./leaf.svelte\'; let { n }: { n: number } = $props();</script>{#if n > 1}<b>{n}</b>{:else}none{/if}{#each [n] as one}<i>{one}</i>{:else}empty{/each}<Leaf />',
  );
  write('theme/leaf.svelte', '<hr />');
  await compile();
  expect(output('blocks.js')).toContain('<b>');
  expect(output('blocks.js')).not.toContain('<!--');
});

test('outputs of earlier themes are removed, and unchanged ones are not rewritten', async () => {
  write('theme/a.svelte', '<p>a</p>');
  write('theme/old.svelte', '<p>old</p>');
  await compile();
  const before = statSync(join(folder, 'out/a.js')).mtimeMs;
  rmSync(join(folder, 'theme/old.svelte'));
  write('out/stray/file.js', '');
  await compile();
  expect(existsSync(join(folder, 'out/old.js'))).toBe(false);
  expect(existsSync(join(folder, 'out/stray/file.js'))).toBe(false);
  expect(statSync(join(folder, 'out/a.js')).mtimeMs).toBe(before);
});

test('an error names the file and line that do not compile, and nothing is written', async () => {
  write('theme/fine.svelte', '<p>fine</p>');
  write('theme/layouts/broken.svelte', '<p>one</p>\n<p>two</p>\n{#if x}\n<p>three</p>\n');
  await expect(compile()).rejects.toThrow(/templates\/layouts\/broken\.svelte:3:\d+: /);
  expect(existsSync(join(folder, 'out'))).toBe(false);
  rmSync(join(folder, 'theme/layouts/broken.svelte'));
  write('theme/broken.svx', '# A page\n\n{#each}\n');
  await expect(compile()).rejects.toThrow(/templates\/broken\.svx:\d+:\d+: /);
});
