import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { picture } from '../support/pictures.ts';
import { freePort } from '../support/port.ts';
import { type S3Server, useS3Server } from '../support/s3-server.ts';

// Slow: starts server processes and the command line, and copies a blog to a real S3 server.

const admin = fileURLToPath(new URL('../../scripts/platen-admin.js', import.meta.url));

let s3: S3Server;
let folder: string;
let port: number;
let server: Child;

beforeAll(async () => {
  s3 = await useS3Server();
}, 300_000);
afterAll(() => s3.release());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'platen-moved-'));
  port = await freePort();
});
afterEach(async () => {
  server.process.kill('SIGKILL');
  await server.exited;
  rmSync(folder, { recursive: true });
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  server = startChild(folder, { PORT: String(port), ...env });
  await server.started;
}

/** Rejects if the command does not exit with 0. */
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, [admin, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
  });

it('an installation moves from its folder to a bucket as docs/moving.md says', async () => {
  await start();
  const key = readFileSync(join(folder, 'data', 'first-key'), 'utf8').trim();
  const call = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Prefer: 'wait=60' };
    const url = `http://localhost:${port}/v1${path}`;
    const { url: made }: { url: string } = JSON.parse(
      await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text(),
    );
    return made;
  };
  const data = (await picture().png().toBuffer()).toString('base64');
  const url = await call('/upload', { data, content_type: 'image/png' });
  expect(url).toContain(`http://localhost:${port}/media/`);
  await call('/posts', { title: 'Before', content: `![A](${url})`, status: 'published' });

  const bucket = await s3.newBucket();
  const env = s3.env(bucket);
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, 's3.env'), lines.join(''));
  const { stdout } = await run(['edge', 'copy', '--to', 's3.env']);
  expect(stdout).toMatch(/nothing differs\. To move:/);
  server.process.kill('SIGTERM');
  await server.exited;
  await start(env);
  expect((await run(['edge', 'verify'], env)).stdout).toMatch(/\nin step\n$/);

  // The post keeps the old address of the image, and this server redirects from there to the new one.
  const { pathname } = new URL(url);
  expect((await s3.readBlog(bucket, 'starter')).get('before/index.html')).toContain(pathname);
  const led = await fetch(url, { redirect: 'manual' });
  expect([led.status, led.headers.get('location')]).toEqual([301, `${s3.endpoint}/${bucket}${pathname}`]);
  expect((await s3.read(bucket, pathname.slice(1))).size).toBe(1);

  await call('/posts', { title: 'After', content: 'There.', status: 'published' });
  expect((await s3.readBlog(bucket, 'starter')).get('index.html')).toContain('/after/');
  // The SDK's notices about future Node versions must not reach the operator.
  expect(server.stderr()).not.toContain('Warning');
});
