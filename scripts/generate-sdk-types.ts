import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints } from '../server/app.ts';
import { readConfig } from '../server/config/config.ts';
import { createDocument } from '../server/openapi/document.ts';
import { startPlaten } from '../server/platen.ts';
import { sdkTypesOf } from './sdk-types/sdk-types.ts';

/** Writes the generated modules of the SDK from the OpenAPI document of this server. */
// Runs as dist/scripts/generate-sdk-types.js, two folders below the package root.
const folder = fileURLToPath(new URL('../../clients/sdk/generated/', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'platen-document-'));

const config = readConfig({ LOG_LEVEL: 'error', PLATEN_DATA_DIR: dataDir });
// Any free port: nobody calls this server.
const platen = await startPlaten({ ...config, port: 0 });
try {
  const document = createDocument(endpoints(platen.services), platen.services.config);
  for (const [name, text] of Object.entries(sdkTypesOf(document))) writeFileSync(join(folder, name), text);
} finally {
  await platen.stop();
  rmSync(dataDir, { recursive: true });
}
