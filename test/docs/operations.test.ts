import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { edgeVariables } from '../../server/config/edge-settings.ts';

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('the table of settings names every environment variable that the server reads', () => {
  const names = file('server/config/config.ts').matchAll(/^ +([A-Z][A-Z_\d]+): (?!undefined)/gm);
  const read = [...[...names].map(([, name = '']) => name), ...Object.keys(edgeVariables)];
  const rows = file('docs/operations.md').match(/^\| `[A-Z].*$/gm) ?? [];
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
  expect(read.length).toBeGreaterThan(20);
  expect(read.filter((name) => !named.includes(name))).toEqual([]);
});
