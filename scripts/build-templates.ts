import { fileURLToPath } from 'node:url';
import { compileTheme } from './compile-theme.ts';

// Runs as dist/scripts/build-templates.js, two folders below the package root.
const root = new URL('../../', import.meta.url);

try {
  await compileTheme(
    fileURLToPath(new URL('templates', root)),
    fileURLToPath(new URL('dist/templates', root)),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
