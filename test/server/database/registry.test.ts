import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { migrations } from '../../../server/database/sqlite/migrations/registry.ts';

it('every migration in the folder is applied, in the order of the file names', () => {
  const names = readdirSync(new URL('../../../server/database/sqlite/migrations/', import.meta.url))
    .filter((name) => /^\d{4}-.*\.ts$/.test(name))
    .map((name) => basename(name, '.ts'));
  expect(names).not.toEqual([]);
  expect(Object.keys(migrations), 'a line for each file in migrations/registry.ts').toEqual(names.sort());
});
