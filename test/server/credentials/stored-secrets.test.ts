// Slow: starts a whole server.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newAuthor } from '../../support/author.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

it('no key, token or preview link is in the database, but for its hash', async () => {
  const author = await newAuthor(platen);
  const key = (await author.call('POST', `/blogs/${author.blogId}/api-keys`, { name: 'Robot' })).json;
  const token = (await author.call('POST', '/account/tokens', { name: 'Token' })).json;
  await author.call('POST', '/posts', { title: 'Draft', content: 'x' });
  const preview = (await author.call('POST', '/posts/draft/preview', {})).json;
  const secrets = [author.key, key.key, token.key, new URL(preview.url).pathname.split('/').at(-1)];

  const files = readdirSync(platen.dataDir).filter((name) => name.startsWith('platen.db'));
  const stored = Buffer.concat(files.map((name) => readFileSync(join(platen.dataDir, name))));
  expect([key.id, token.id].map((id) => stored.includes(id))).toEqual([true, true]);
  expect(secrets.map((secret) => stored.includes(secret ?? ''))).toEqual([false, false, false, false]);
});
