#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/clients/cli/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  console.error('platen: Platen is not built yet: run `npm run build` in its folder');
  process.exitCode = 1;
}
