// Slow: starts and kills server processes while they encode image variants.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../server/database/dialect.ts';
import { type Child, startChild } from '../support/child.ts';
import { photo } from '../support/pictures.ts';
import { freePort } from '../support/port.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'platen-test-'));
const key = `pk_live_${'k'.repeat(48)}`;
let origin = '';
let running: Child | undefined;
afterAll(async () => {
  running?.process.kill('SIGKILL');
  await running?.exited;
  rmSync(dataDir, { recursive: true });
});

async function start(): Promise<Child> {
  const port = String(await freePort());
  origin = `http://localhost:${port}`;
  const env = { PORT: port, PLATEN_DATA_DIR: dataDir, PLATEN_API_KEY: key, LOG_LEVEL: 'error' };
  // Image addresses must be the same after each start.
  running = startChild(dataDir, { ...env, PLATEN_MEDIA_URL: 'https://media.example.org' });
  await running.started;
  return running;
}

async function api(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${origin}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Prefer: 'wait=60' },
    body: body ? JSON.stringify(body) : null,
  });
  return Object(await response.json());
}

/** Makes every retry due, as if its wait had passed. */
async function hurry(): Promise<void> {
  const db = openDatabase({ file: join(dataDir, 'platen.db'), transactions: 'immediate', durable: true });
  await db
    .updateTable('images')
    .set({ variants_due_at: new Date().toISOString(), variant_attempts: 0 })
    .where('variants_due_at', 'is not', null)
    .execute();
  await db.destroy();
}

/** Files on the edge, and the paths that the database knows: images, variants and orphaned media. */
async function everything() {
  const db = openDatabase({ file: join(dataDir, 'platen.db'), transactions: 'snapshot', durable: false });
  const claimed = [
    ...(await db.selectFrom('images').select('path').execute()),
    ...(await db.selectFrom('image_variants').select('path').execute()),
  ];
  const strays = await db.selectFrom('orphaned_media').select('path').execute();
  const due = await db.selectFrom('images').select('id').where('variants_due_at', 'is not', null).execute();
  await db.destroy();
  const root = join(dataDir, 'edge');
  const files = readdirSync(join(root, 'media'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
  return {
    files,
    claimed: claimed.map(({ path }) => path).sort(),
    strays: strays.map(({ path }) => path),
    due,
  };
}

test('a server that is killed again and again still makes the variants of all images and leaves no other file', {
  timeout: 600_000,
}, async () => {
  const posts: string[] = [];
  let server = await start();
  for (const pause of [0, 150, 400, 800, 1200]) {
    const data = (await (await photo(900, 600)).jpeg({ quality: 92 }).toBuffer()).toString('base64');
    const { url } = await api('POST', '/upload', { data, content_type: 'image/jpeg', filename: 'a.jpg' });
    const slug = `post-${pause}`;
    await api('POST', '/posts', { title: 'A', slug, content: `![](${url})`, status: 'published' });
    posts.push(slug);
    await sleep(pause);
    server.process.kill('SIGKILL');
    await server.exited;
    // Every file on the edge is known to the database at every kill.
    const { files, claimed, strays } = await everything();
    expect(files.filter((file) => !claimed.includes(file) && !strays.includes(file))).toEqual([]);
    expect(claimed.filter((file) => !files.includes(file))).toEqual([]);
    await hurry();
    server = await start();
  }
  for (const slug of posts) {
    await expect
      .poll(async () => (await api('GET', `/posts/${slug}`)).content_html, { interval: 250 })
      .toContain('.avif 800w');
  }
  // Files of attempts that were killed are swept a little later.
  await expect.poll(everything, { interval: 250 }).toMatchObject({ strays: [], due: [] });
  const { files, claimed } = await everything();
  expect(files).toEqual(claimed);
  expect(files).toHaveLength(posts.length * 7);
  server.process.kill('SIGTERM');
  expect(await server.exited).toBe(0);
});
