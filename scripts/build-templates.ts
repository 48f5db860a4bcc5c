import { fileURLToPath } from 'node:url';
import { compileComponent, compileTheme } from './compile-theme.ts';
import { buildGuides } from './guides/build-guides.ts';

// Runs as dist/scripts/build-templates.js, two folders below the package root.
const root = fileURLToPath(new URL('../../', import.meta.url));

try {
  await compileTheme(`${root}templates`, `${root}dist/templates`);
  await buildGuides({ root, dist: `${root}dist`, compile: compileComponent });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
