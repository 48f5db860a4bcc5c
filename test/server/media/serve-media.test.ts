// Slow: starts a whole server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { tinyGif } from '../../support/pictures.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { exchange } from '../../support/raw-http.ts';

let platen: TestPlaten;
let path: string;
beforeAll(async () => {
  platen = await startTestPlaten();
  const body = { data: tinyGif().toString('base64'), content_type: 'image/gif' };
  path = new URL((await platen.call('POST', '/upload', body)).json.url).pathname;
});
afterAll(() => platen.close());

/** Requests a path of the public host, byte for byte as given. */
const ask = (asked: string, headers = {}, method = 'GET') =>
  platen.read('', asked, { method, host: new URL(platen.origin).host, headers });

/** Puts a file on the edge without the service. */
function put(name: string, content: string): void {
  const file = join(platen.dataDir, 'edge', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

describe('serving an image', () => {
  it('an image may be cached for ever and embedded anywhere, and runs no scripts', async () => {
    const { status, headers } = await ask(path);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/gif',
      'content-length': String(tinyGif().length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'accept-ranges': 'bytes',
    });
    expect(headers.get('etag')).toMatch(/^(W\/)?"/);
    for (const name of ['set-cookie', 'x-powered-by', 'content-disposition'])
      expect(headers.has(name)).toBe(false);
  });

  it('an image is served byte for byte', async () => {
    const response = await fetch(`${platen.origin}${path}`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(tinyGif());
  });

  it.each([
    ['.jpg', 'image/jpeg'],
    ['.png', 'image/png'],
    ['.webp', 'image/webp'],
    ['-480.avif', 'image/avif'],
    ['-2400.webp', 'image/webp'],
  ])('an image has the content type of its name: %s', async (extension, type) => {
    const file = `media/${uuid()}/${uuid()}${extension}`;
    put(file, 'bytes');
    expect((await ask(`/${file}`)).headers.get('content-type')).toBe(type);
  });

  it('HEAD of an image has everything but its bytes', async () => {
    const get = await ask(path);
    const head = await ask(path, {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it('an image is not sent again to a client that has it', async () => {
    const { headers } = await ask(path);
    for (const [name, value] of [
      ['If-None-Match', headers.get('etag')],
      ['If-Modified-Since', headers.get('last-modified')],
    ]) {
      const { status, text } = await ask(path, { [name ?? '']: value });
      expect([status, text]).toEqual([304, '']);
    }
    expect((await ask(path, { 'If-Match': '"other"' })).status).toBe(412);
  });

  it('a part of an image is sent on request', async () => {
    const { status, headers, text } = await ask(path, { Range: 'bytes=0-5' });
    expect([status, text]).toEqual([206, 'GIF89a']);
    expect(headers.get('content-range')).toBe(`bytes 0-5/${tinyGif().length}`);
    const beyond = await ask(path, { Range: 'bytes=99999-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([
      416,
      `bytes */${tinyGif().length}`,
    ]);
  });

  it('the address of an image may have a query', async () => {
    expect((await ask(`${path}?width=100`)).status).toBe(200);
  });
});

describe('media addresses without an image', () => {
  beforeAll(() => {
    put('secret.png', 'secret');
    put('media/secret.png', 'secret');
    put(`media/${uuid()}/.hidden.png`, 'secret');
    put(`sites/starter/${uuid()}.png`, 'secret');
  });

  const blog = () => path.split('/')[2] ?? '';
  const id = uuid();
  it.each([
    () => '/media',
    () => '/media/',
    () => `/media/${blog()}`,
    () => `/media/${blog()}/`,
    () => `/media/${blog()}/${id}.gif`,
    () => `/media/${uuid()}/${path.split('/')[3]}`,
    () => `${path}/`,
    () => `${path}x`,
    () => `${path}%00`,
    () => path.replace('.gif', '.png'),
    () => path.replace('.gif', ''),
    () => path.replace('.gif', '.GIF'),
    () => path.toUpperCase().replace('/MEDIA', '/media'),
    () => `/media//${blog()}/${path.split('/')[3]}`,
    () => `/media/./${blog()}/${path.split('/')[3]}`,
    () => '/media/secret.png',
    () => '/media/../secret.png',
    () => '/media/%2e%2e/secret.png',
    () => '/media/..%2fsecret.png',
    () => '/media/..%5csecret.png',
    () => `/media/${blog()}/../../secret.png`,
    () => `/media/${blog()}/..%2f..%2fplaten.db`,
    () => `/media/${blog()}/.hidden.png`,
    () => '/media/%zz',
    () => `/media/${blog()}/${'x'.repeat(5000)}.png`,
    () => path.replace('.gif', '-480.avif'),
    () => `/media/${blog()}/-480.avif`,
  ])('a media address without an image is not found, however it is requested: %s', async (address) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(address(), {}, method);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('cache-control') ?? '').not.toContain('immutable');
      if (method === 'GET') expectRefusal(answer, 404, /no such image|nothing at/);
    }
  });
});

it('media addresses allow only reading', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const answer = await ask(path, {}, method);
    expectRefusal(answer, 405, new RegExp(`^${method} is not allowed`));
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  }
  expect((await ask(path, {}, 'OPTIONS')).status).toBe(204);
});

it('a blog’s host serves no images, and pages of every blog may show them', async () => {
  const answer = await platen.read('starter', path);
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-security-policy')).toContain('img-src * data:');
});

it('an image is served during a malformed request for it', async () => {
  const port = Number(new URL(platen.origin).port);
  const answer = await exchange(port, `GET /media/\u0001 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect((await ask(path)).status).toBe(200);
});
