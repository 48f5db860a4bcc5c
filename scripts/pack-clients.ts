import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packClient } from './packages/pack-client.ts';

/** Makes `dist/packages/<name>` of every client, ready for `npm pack` or `npm publish`. */
// Runs as dist/scripts/pack-clients.js, two folders below the package root.
const root = fileURLToPath(new URL('../../', import.meta.url));

for (const name of readdirSync(join(root, 'clients'))) {
  const out = join(root, 'dist/packages', name);
  await packClient({ root, name, out });
  console.log(`${name}: ${out}`);
}
