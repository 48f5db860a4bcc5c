// Slow: starts a whole server, and calls every operation of the API through the SDK.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationId } from '../../../clients/sdk/call.ts';
import {
  type Blog,
  type CreatedApiKey,
  type CreatedBlog,
  type CreatedPost,
  type CreatedToken,
  NotFoundError,
  Platen,
  PreconditionFailedError,
  type Redirect,
  responseOf,
  type RevisionSummary,
  type StoredImage,
} from '../../../clients/sdk/index.ts';
import { sdkTypesOf } from '../../../scripts/sdk-types/sdk-types.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { pngOf } from '../../support/png.ts';

let server: TestPlaten;
let document: { paths: Record<string, Record<string, { operationId: string }>> };
/** Method and path of each request, in the order of the document. */
const requests: string[] = [];
let platen: Platen;

beforeAll(async () => {
  server = await startTestPlaten();
  platen = clientOf(server.key);
  document = JSON.parse(JSON.stringify(await platen.openApiDocument()));
});
afterAll(() => server.close());

function clientOf(apiKey: string): Platen {
  return new Platen({
    apiKey,
    url: server.origin,
    fetch: (input, init) => {
      requests.push(`${init?.method} ${new URL(String(input)).pathname.replace('/v1', '')}`);
      return fetch(input, init);
    },
  });
}

it('the generated types are those of the document', () => {
  for (const [name, text] of Object.entries(sdkTypesOf(document))) {
    const file = fileURLToPath(new URL(`../../../clients/sdk/generated/${name}`, import.meta.url));
    expect(readFileSync(file, 'utf8') === text, `${file} is outdated: npm run generate-sdk-types`).toBe(true);
  }
});
