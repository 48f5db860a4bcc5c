// Slow: starts server processes, kills them while they answer, and starts them again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { freePort } from '../support/port.ts';

const key = `pk_live_${'k'.repeat(48)}`;
let folder: string;
let env: Record<string, string>;
let running: Child | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
  env = { PORT: String(await freePort()), PLATEN_DATA_DIR: folder, PLATEN_API_KEY: key, LOG_LEVEL: 'error' };
});
afterEach(() => {
  running?.process.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function start(): Promise<Child> {
  running = startChild(folder, env);
  await running.started;
  return running;
}

async function kill(child: Child): Promise<void> {
  child.process.kill('SIGKILL');
  await child.exited;
}

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`http://localhost:${env.PORT}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: body ? JSON.stringify(body) : null,
  });
  // biome-ignore lint/suspicious/noExplicitAny: the test compares it as it is
  const json: any = await response.json();
  return { status: response.status, replayed: response.headers.get('Idempotency-Replayed'), json };
}

/** Number of posts in the database, without paging. */
function countPosts(): number {
  const db = new Database(join(folder, 'platen.db'), { readonly: true });
  const count = db.prepare('select count(*) from posts').pluck().get();
  db.close();
  return Number(count);
}

const until = (condition: () => boolean) => expect.poll(condition, { interval: 1 }).toBe(true);

it('a retried request does not create its post again if a kill lost the first response', async () => {
  const server = await start();
  const headers = { 'Idempotency-Key': 'lost', Prefer: 'wait=120' };
  const body = { title: 'Lost and found', content: 'x', status: 'published' };
  const before = countPosts();
  const lost = call('POST', '/posts', body, headers).catch(() => null);
  await until(() => countPosts() > before);
  await kill(server);
  await lost;
  await start();
  const { status, replayed, json } = await call('POST', '/posts', body, headers);
  expect([status, replayed, json.slug]).toEqual([201, 'true', 'lost-and-found']);
  expect(countPosts()).toBe(before + 1);
});

it('a retried batch continues where a kill interrupted it', async () => {
  const server = await start();
  const posts = Array.from({ length: 100 }, (_, n) => ({ title: `Post ${n}`, content: 'x' }));
  const headers = { 'Idempotency-Key': 'batch' };
  const before = countPosts();
  const lost = call('POST', '/posts:batch', { posts }, headers).catch(() => null);
  await until(() => countPosts() > before + 20);
  await kill(server);
  await lost;
  expect(countPosts()).toBeLessThan(before + 100);
  await start();
  const { json } = await call('POST', '/posts:batch', { posts }, headers);
  expect(json.results.map(({ status }: { status: number }) => status)).toEqual(posts.map(() => 201));
  expect(json.results.map((result: { post: { slug: string } }) => result.post.slug)).toEqual(
    posts.map((_, n) => `post-${n}`),
  );
  expect(countPosts()).toBe(before + 100);
});
