// Slow: starts a server three times, and waits for rebuilds of all blogs.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../server/config/config.ts';
import { startPlaten } from '../../../server/platen.ts';
import { freePort } from '../../support/port.ts';

const POLL = { timeout: 60_000 };

const KEY = `pk_live_${'a'.repeat(48)}`;

/** Starts a server on a data folder, with readers' requests and API calls. */
async function start(dataDir: string, env: Readonly<Record<string, string>>) {
  const port = await freePort();
  const platen = await startPlaten(
    readConfig({
      PORT: String(port),
      PLATEN_DATA_DIR: dataDir,
      PLATEN_API_KEY: KEY,
      PLATEN_BLOG_HOST: 'blog.example',
      LOG_LEVEL: 'silent',
      ...env,
    }),
  );
  onTestFinished(() => platen.stop());
  return {
    stop: platen.stop,
    async read(host: string, path = '/') {
      const req = request({ port, path, headers: { host } }).end();
      const [res] = await once(req, 'response');
      let text = '';
      for await (const chunk of res.setEncoding('utf8')) text += chunk;
      return { status: res.statusCode, location: res.headers.location, text };
    },
    async call(method: string, path: string, body?: object) {
      const headers = {
        Authorization: `Bearer ${KEY}`,
        'Content-Type': 'application/json',
        Prefer: 'wait=60',
      };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(`http://localhost:${port}/v1${path}`, init);
      // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
      const json: any = await response.json();
      return { status: response.status, json };
    },
  };
}

it('one blog is at the blog host itself, and another after a change of the setting', {
  timeout: 120_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const first = await start(dataDir, { PLATEN_BLOG: 'notes' });
  const [notes] = (await first.call('GET', '/blogs')).json.data;
  expect(notes.slug).toBe('notes');
  const { json: other } = await first.call('POST', '/blogs', { slug: 'other', name: 'Other' });
  expect(other.url).toBe('http://other.blog.example/');
  expect((await first.call('GET', `/blogs/${notes.id}`)).json.url).toBe('http://blog.example/');
  const post = await first.call('POST', '/posts', { title: 'Hello', content: 'x', status: 'published' });
  expect(post.json.url).toBe('http://blog.example/hello/');
  expect((await first.read('blog.example', '/hello/')).text).toContain(
    '<link rel="canonical" href="http://blog.example/hello/"',
  );
  for (const path of ['/feed.xml', '/sitemap.xml']) {
    const { status, text } = await first.read('blog.example', path);
    expect([status, text.includes('http://blog.example/'), text.includes('notes.blog')]).toEqual([
      200,
      true,
      false,
    ]);
  }
  expect(await first.read('notes.blog.example', '/hello/?q=1')).toMatchObject({
    status: 301,
    location: 'http://blog.example/hello/?q=1',
  });
  expect((await first.read('other.blog.example')).text).toContain('Other');
  expect((await first.read('nobody.blog.example')).status).toBe(404);
  expect(await first.call('PUT', `/blogs/${notes.id}`, { slug: 'renamed' })).toMatchObject({
    status: 409,
    json: { message: expect.stringContaining('PLATEN_BLOG') },
  });
  await first.stop();

  const second = await start(dataDir, { PLATEN_BLOG: 'other' });
  // The start queues rebuilds of all blogs.
  await expect.poll(async () => (await second.read('blog.example')).text, POLL).toContain('Other');
  await expect.poll(async () => (await second.read('other.blog.example')).status, POLL).toBe(301);
  await expect.poll(async () => (await second.read('notes.blog.example')).status, POLL).toBe(200);
  expect(await second.read('other.blog.example')).toMatchObject({
    status: 301,
    location: 'http://blog.example/',
  });
  expect((await second.read('notes.blog.example', '/hello/')).text).toContain(
    '<link rel="canonical" href="http://notes.blog.example/hello/"',
  );
  await second.stop();

  const third = await start(dataDir, { PLATEN_BLOG: 'later' });
  await expect
    .poll(async () => (await third.read('blog.example', '/x')).location, POLL)
    .toBe('http://other.blog.example/x');
  await third.call('POST', '/blogs', { slug: 'later', name: 'Later' });
  expect((await third.call('PUT', `/blogs/${other.id}`, { name: 'Other again' })).status).toBe(200);
  await expect.poll(async () => (await third.read('blog.example')).text, POLL).toContain('Later');
  expect((await third.read('blog.example')).text).toContain('Later');
  await third.stop();
  rmSync(dataDir, { recursive: true });
});
