import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

describe.each(['docs/architecture.md', 'CONTRIBUTING.md', 'README.md'])('%s', (guide) => {
  const text = textOf(guide);

  it('names files and folders that exist', () => {
    const named = text.matchAll(
      /(?<![\w./-])(?:server|generator|templates|scripts|clients|test|docs)\/[\w./-]*\w/g,
    );
    const paths = [...new Set([...named].map(([path]) => path))];
    expect(paths).not.toEqual([]);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target);
    const local = links.filter((target) => !/^https?:/.test(target));
    expect(local).not.toEqual([]);
    expect(local.filter((target) => !existsSync(join(root, dirname(guide), target)))).toEqual([]);
  });
});

it('the architecture lists every folder of the code, in the order in which they may import each other', () => {
  const [, order = ''] = /^const order = \[\n(.*?)^\];/ms.exec(textOf('test/architecture.test.ts')) ?? [];
  const declared = [...order.matchAll(/^ +'([^']+)',$/gm)].map(([, entry]) => entry);
  const rows = textOf('docs/architecture.md').matchAll(
    /^\| `((?:generator|server|scripts|clients)[^`]*)` \|/gm,
  );
  expect(declared.length).toBeGreaterThan(50);
  expect([...rows].map(([, folder]) => folder)).toEqual(declared);
});
