import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { photo } from '../support/pictures.ts';
import { freePort } from '../support/port.ts';
import { type S3Server, useS3Server } from '../support/s3-server.ts';

// Slow: starts server processes and the command line, and copies a blog to a real S3 server.

const admin = fileURLToPath(new URL('../../scripts/platen-admin.js', import.meta.url));

let s3: S3Server;
let folder: string;
let port: number;
let key: string;
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

async function stop(): Promise<void> {
  server.process.kill('SIGTERM');
  await server.exited;
}

async function call(method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Prefer: 'wait=60' };
  const url = `http://localhost:${port}/v1${path}`;
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  expect(answer.ok, text).toBe(true);
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
  return JSON.parse(text) as any;
}

/** The files of the blog that show the image of its post. */
const SHOWN_IN = ['before/index.html', 'before.md', 'feed.xml', 'rss.xml', 'feed.json', 'llms-full.txt'];

const readPage = (path: string) =>
  readFileSync(join(folder, 'data', 'edge', 'sites', 'starter', path), 'utf8');

/** Addresses of the image and its variants in a text, each once. */
const addressesIn = (text: string, id: string): string[] => [
  ...new Set(text.match(new RegExp(`https?:[^\\s"'<>()]*${id}[-.\\w]*`, 'g'))),
];

/** What the API says of a post, except what depends on the addresses of images. */
async function storedPost() {
  const {
    content_html: _html,
    og_image_url: _image,
    url: _url,
    ...post
  } = await call('GET', '/posts/before');
  return { ...post, revisions: await call('GET', '/posts/before/revisions') };
}

it('an installation moves to another host and to a bucket as docs/moving.md says, with its images', async () => {
  await start();
  key = readFileSync(join(folder, 'data', 'first-key'), 'utf8').trim();
  const data = (await (await photo(900, 600)).jpeg().toBuffer()).toString('base64');
  const { url: uploaded }: { url: string } = await call('POST', '/upload', {
    data,
    content_type: 'image/jpeg',
  });
  expect(uploaded).toContain(`http://localhost:${port}/media/`);
  const [, id = ''] = /([^/]+)\.jpg$/.exec(uploaded) ?? [];
  const content = `![A](${uploaded})`;
  await call('POST', '/posts', {
    title: 'Before',
    content,
    status: 'published',
    meta: { og_image: uploaded },
  });
  await expect.poll(() => readPage('before/index.html')).toContain('-480.avif 480w');
  const post = await storedPost();
  await stop();

  const oldPort = port;
  port = await freePort();
  const media = `http://127.0.0.1:${port}/media/`;
  const moved = { PLATEN_PUBLIC_URL: `http://127.0.0.1:${port}` };
  await start(moved);
  await expect.poll(() => SHOWN_IN.filter((path) => !readPage(path).includes(media))).toEqual([]);
  const { url: preview } = await call('POST', '/posts/before/preview', {});
  const { content_html, og_image_url } = await call('GET', '/posts/before');
  const shown = [...SHOWN_IN.map(readPage), content_html, og_image_url, await (await fetch(preview)).text()];
  for (const text of shown) {
    const addresses = addressesIn(text, id);
    expect(addresses).not.toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(media))).toEqual([]);
    expect(text).not.toContain(`:${oldPort}/media`);
    for (const address of addresses) expect((await fetch(address)).status, address).toBe(200);
  }
  expect(addressesIn(content_html, id).length).toBeGreaterThan(3);
  expect(await storedPost()).toEqual(post);

  const bucket = await s3.newBucket();
  const env = s3.env(bucket);
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, 's3.env'), lines.join(''));
  const { stdout } = await run(['edge', 'copy', '--to', 's3.env'], moved);
  expect(stdout).toMatch(/nothing differs\. To move:/);
  await stop();
  const root = `${s3.endpoint}/${bucket}/`;
  const assertMoved = async () => {
    const [pages, files] = [await s3.readBlog(bucket, 'starter'), await s3.read(bucket, 'media/')];
    for (const path of SHOWN_IN) {
      const addresses = addressesIn(pages.get(path) ?? '', id);
      expect(addresses, path).not.toEqual([]);
      const missing = addresses.filter((address) => !files.has(address.replace(root, '')));
      expect(missing, path).toEqual([]);
    }
  };
  // The copy has the addresses of the bucket before a server starts there.
  await assertMoved();
  await start(env);
  // At first every file of the new edge is unknown, and written once.
  const verify = () => run(['edge', 'verify'], env).catch(({ stdout }: { stdout: string }) => ({ stdout }));
  await expect.poll(async () => (await verify()).stdout, { interval: 500 }).toMatch(/\nin step\n$/);
  await assertMoved();
  expect(await storedPost()).toEqual(post);

  // This server redirects from its own addresses of images to the bucket.
  const { pathname } = new URL(uploaded);
  const led = await fetch(`http://localhost:${port}${pathname}`, { redirect: 'manual' });
  expect([led.status, led.headers.get('location')]).toEqual([301, `${s3.endpoint}/${bucket}${pathname}`]);

  await call('POST', '/posts', { title: 'After', content: 'There.', status: 'published' });
  expect((await s3.readBlog(bucket, 'starter')).get('index.html')).toContain('/after/');
  // The SDK's notices about future Node versions must not reach the operator.
  expect(server.stderr()).not.toContain('Warning');
});
