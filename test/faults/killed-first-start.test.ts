// Slow: repeats a first start once for every SQL statement, and starts real server processes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createServices, type Services } from '../../server/compose.ts';
import { readConfig } from '../../server/config/config.ts';
import { openFirstKeyFile } from '../../server/installation/first-key.ts';
import { findFirstKey, prepareFirstStart } from '../../server/installation/first-start.ts';
import { startChild } from '../support/child.ts';
import { copiesBeforeEachStatement } from '../support/copies-before-statements.ts';
import { freePort } from '../support/port.ts';
import { readEdge } from '../support/site-builder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The part of a start that may write to an empty database. */
async function start<T>(dataDir: string, look: (services: Services) => Promise<T>): Promise<T> {
  const config = readConfig({ PLATEN_DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const services = await createServices(config);
  try {
    const keyFile = openFirstKeyFile(dataDir);
    await prepareFirstStart({ ...services, ...config, welcomeMarkdown: 'Welcome.', keyFile });
    return await look(services);
  } finally {
    await services.close();
  }
}

/** State that the owner finds after the start. */
async function findings({ config, db, credentials }: Services) {
  const secret = await findFirstKey(db, openFirstKeyFile(config.dataDir));
  const caller = secret === null ? null : await credentials.authenticate(secret);
  return {
    accounts: (await db.selectFrom('accounts').select('email').execute()).map(({ email }) => email),
    blogs: (await db.selectFrom('blogs').select('slug').execute()).map(({ slug }) => slug),
    posts: (await db.selectFrom('posts').select(['title']).execute()).map(({ title }) => title),
    scopes: caller?.scopes,
  };
}

it('the next start finishes a first start that was killed before any statement', async () => {
  const dataDir = join(folder, 'first');
  mkdirSync(dataDir);
  const { copies, statements } = await copiesBeforeEachStatement(dataDir, () =>
    start(dataDir, async () => {}),
  );
  expect(statements).toBeGreaterThan(100);
  expect(copies.length).toBeGreaterThan(3);
  for (const [n, copy] of copies.entries()) {
    expect(await start(copy.restoreTo(join(folder, `after-${n}`)), findings)).toEqual({
      accounts: [expect.any(String)],
      blogs: ['starter'],
      posts: ['Welcome to Platen'],
      scopes: ['*'],
    });
  }
});

it('a server starts although its earlier first starts were killed', async () => {
  const env = { PORT: String(await freePort()), PLATEN_DATA_DIR: folder, LOG_LEVEL: 'error' };
  for (const delay of [300, 350, 400, 450, 500, 600, 700, 800]) {
    const killed = startChild(folder, env);
    await sleep(delay);
    killed.process.kill('SIGKILL');
    await killed.exited;
  }
  const child = startChild(folder, env);
  await child.started;
  expect(child.stderr()).toBe('');
  await expect.poll(() => readEdge(join(folder, 'edge'), 'starter').has('index.html')).toBe(true);
  child.process.kill('SIGTERM');
  expect(await child.exited).toBe(0);
});
