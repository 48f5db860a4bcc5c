import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { expect, it } from 'vitest';
import { createServices } from '../../../server/compose.ts';
import { readConfig } from '../../../server/config/config.ts';

it('unsaved last-used times are written when the server stops', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const config = readConfig({ PLATEN_DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const services = await createServices(config);
  const request = { email: `${uuid()}@example.org`, name: 'A', tier: 'free', subject: null } as const;
  const { secret } = await services.accounts.create(request);
  const caller = await services.credentials.authenticate(secret);
  const [used] = await services.tokens.list(caller);
  expect(used?.lastUsedAt).not.toBeNull();
  await services.close();

  const next = await createServices(config);
  const [kept] = await next.tokens.list(caller);
  expect(kept?.lastUsedAt).toBe(used?.lastUsedAt);
  await next.close();
  rmSync(dataDir, { recursive: true });
});
