// Slow: starts server processes, kills them while several clients publish, and waits until everything is live.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../support/port.ts';
import { readEdge } from '../support/site-builder.ts';

const main = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'platen-test-'));
const key = `pk_live_${'k'.repeat(48)}`;
const port = await freePort();
const origin = `http://localhost:${port}`;

let running: ChildProcess | undefined;

afterAll(() => {
  running?.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

test('every acknowledged write survives kill -9 and is live after the restart', async () => {
  const answered: string[] = [];
  for (let round = 0; round < 4; round++) {
    const server = await start();
    const before = answered.length;
    const clients = [0, 1, 2, 3].map((client) => publishUntilRefused(`${round}-${client}`, answered));
    await sleep(250 + round * 150);
    await expect.poll(() => answered.length - before, { interval: 1 }).toBeGreaterThan(2);
    server.kill('SIGKILL');
    await Promise.all([...clients, once(server, 'exit')]);
  }
  expect(answered.length).toBeGreaterThan(10);

  const server = await start();
  const last = await api(
    'POST',
    '/posts',
    { title: 'Last', content: 'x', status: 'published' },
    { Prefer: 'wait=60' },
  );
  expect(last.headers.get('Preference-Applied')).toBe('wait=60');
  const edge = readEdge(join(dataDir, 'edge'), 'starter');
  for (const slug of answered) {
    const post = await api('GET', `/posts/${slug}`);
    expect([slug, post.status, edge.has(`${slug}/index.html`)]).toEqual([slug, 200, true]);
  }
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
});

async function start(): Promise<ChildProcess> {
  const server = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: String(port),
      PLATEN_DATA_DIR: dataDir,
      PLATEN_API_KEY: key,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = server;
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.startsWith('Platen is running')) break;
  }
  return server;
}

/** As in the test support: a search index of one file that holds all posts. */
async function publishUntilRefused(name: string, answered: string[]): Promise<void> {
  for (let n = 0; ; n++) {
    try {
      const response = await api('POST', '/posts', {
        title: `${name}-${n}`,
        content: 'x',
        status: 'published',
      });
      answered.push(slugIn(await response.json()));
    } catch {
      return;
    }
  }
}

const slugIn = (created: unknown): string =>
  typeof created === 'object' && created && 'slug' in created ? String(created.slug) : expect.fail('no slug');

const api = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(`${origin}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: body ? JSON.stringify(body) : null,
  });
