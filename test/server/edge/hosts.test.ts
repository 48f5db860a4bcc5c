// Slow: starts a whole server.
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHostRouter } from '../../../server/edge/host-router.ts';
import { createMisdirectedBlogHosts } from '../../../server/edge/misdirected-blogs.ts';
import { closeServer, createHttpServer, listen } from '../../../server/http/server.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { exchange } from '../../support/raw-http.ts';

let platen: TestPlaten;
let author: Author;
let port: number;
beforeAll(async () => {
  platen = await startTestPlaten({ PLATEN_PUBLIC_URL: 'https://API.Platen.example:8443' });
  port = Number(new URL(platen.origin).port);
  author = await newAuthor(platen);
  await author.post({ slug: 'a-post' }, { Prefer: 'wait=60' });
});
afterAll(() => platen.close());

const named = (host: string) => host.replaceAll('PORT', String(port)).replaceAll('SLUG', author.blogSlug);
const at = (host: string, path = '/', method = 'GET') => platen.read('', path, { host: named(host), method });

/** Sends the head of a request as it is, and resolves to the whole response. */
const send = (...lines: string[]) => exchange(port, named([...lines, '', ''].join('\r\n')));
const close = 'Connection: close';

const MISDIRECTED = /^HTTP\/1\.1 421 /;
const MALFORMED = /^HTTP\/1\.1 400 /;
const OF_API = /^HTTP\/1\.1 200 .*"name":"Platen"/s;
const OF_BLOG = /^HTTP\/1\.1 200 .*<title>Blog 1/s;

describe('the host of a request', () => {
  it.each([
    'SLUG.localhost:PORT',
    'SLUG.localhost',
    'SLUG.localhost:',
    'SLUG.localhost:1',
    'SLUG.localhost:65535',
    'SLUG.localhost.',
    'SLUG.localhost.:PORT',
    'SLUG.LOCALHOST:PORT',
  ])('the host names a blog: %s', async (host) => {
    for (const slug of [author.blogSlug, author.blogSlug.toUpperCase()]) {
      const { status, text } = await at(host.replace('SLUG', slug));
      expect([status, text.includes('<title>Blog 1')]).toEqual([200, true]);
    }
  });

  it.each([
    'nobody.localhost',
    'SLUG.nobody.localhost',
    'nobody.SLUG.localhost',
    '-SLUG.localhost',
    '__proto__.localhost',
    `${'x'.repeat(63)}.localhost`,
  ])('the host names a missing blog: %s', async (host) => {
    for (const path of ['/', '/a-post/', '/v1/posts', `/../${author.blogSlug}/index.html`]) {
      const { status, headers, text } = await at(host, path);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain('There is no blog here');
      expect(text).toContain('Check the name in the address, or see <a href="');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each([
    'localhost:PORT',
    'localhost',
    'localhost.',
    '127.0.0.1:PORT',
    '127.0.0.1',
    '10.1.2.3',
    '[::1]:PORT',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[2001:DB8::1]',
    'api.platen.example',
    'API.platen.example:8443',
    'api.platen.example.',
  ])('the host is the API’s: %s', async (host) => {
    const { status, json } = await at(host);
    expect([status, json?.name]).toEqual([200, 'Platen']);
    expect((await at(host, '/healthz')).status).toBe(200);
    expectRefusal(await at(host, '/a-post/'), 404, /there is nothing at/);
  });

  it.each([
    'example.org',
    'SLUG.example.org',
    'SLUG.localhost.evil.org',
    'SLUGlocalhost',
    'localhost.evil.org',
    'platen.example',
    'www.api.platen.example',
    'api.platen.example.evil.org',
    'backend',
    'my_service:8080',
    'xn--bcher-kva.example',
    '127.0.0.1.example.org',
    '127.1',
    '2130706433',
    'example.org:65535',
    'a'.repeat(63),
    `${'a.'.repeat(126)}a`,
  ])('the host is unknown: %s', async (host) => {
    for (const path of ['/', '/v1/posts', '/healthz', '/docs/', '/media/x', '/preview/x']) {
      const { status, headers, text } = await at(host, path);
      expect([status, headers.get('content-type')]).toEqual([421, 'text/plain; charset=utf-8']);
      expect(text).toMatch(/PLATEN_PUBLIC_URL .* PLATEN_BLOG_HOST/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
    }
    const head = await at(host, '/', 'HEAD');
    expect([head.status, head.text]).toEqual([421, '']);
    expect((await at(host, '/v1/posts', 'POST')).status).toBe(421);
  });

  it.each([
    '',
    ' ',
    '.',
    '..',
    'a..b',
    '.localhost',
    '..localhost',
    'SLUG..localhost',
    'localhost..',
    'a@b',
    'SLUG@x.localhost',
    'user:password@localhost',
    'x/../SLUG.localhost',
    '../SLUG.localhost',
    'SLUG/.localhost',
    'SLUG%2e.localhost',
    '*.localhost',
    'localhost, evil.org',
    'localhost evil.org',
    'http://localhost',
    'localhost/v1',
    'localhost?x',
    'localhost#x',
    'local\\host',
    'b\u00fccher.example',
    '::1',
    '[::1',
    '[]',
    '[::1]]',
    '[localhost]',
    '[127.0.0.1]',
    '[fe80::1%25eth0]',
    'localhost:x',
    'localhost:-1',
    'localhost:65536',
    'localhost:99999999',
    'localhost:80:80',
    `${'x'.repeat(64)}.localhost`,
    `${'a.'.repeat(126)}aa`,
  ])('the host is malformed: %j', async (host) => {
    const answer = await send('GET /v1/posts HTTP/1.1', `Host: ${host}`);
    expect(answer).toMatch(MALFORMED);
    expect(answer).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
    expect(answer).toContain('The Host header of this request is missing or malformed');
  });

  it('the host of a blog does not serve the API', async () => {
    for (const path of ['/v1/posts', '/v1/blogs', '/healthz', '/v1']) {
      const headers = { Authorization: `Bearer ${author.key}` };
      const { status, text } = await platen.read(author.blogSlug, path, { headers });
      expect([status, text.includes('<title>')]).toEqual([404, true]);
    }
    expect((await platen.read(author.blogSlug, '/v1/posts', { method: 'POST' })).status).toBe(405);
  });

  it('a request of HTTP/1.0 may omit the host, and no later version may', async () => {
    expect(await send('GET / HTTP/1.0')).toMatch(OF_API);
    expect(await send('GET / HTTP/1.1')).toMatch(MALFORMED);
  });

  it.each([
    ['Host: localhost', 'Host: localhost'],
    ['Host: localhost', 'host: evil.org'],
    ['HOST: SLUG.localhost', 'Host: localhost'],
    ['Host: SLUG.localhost', 'Accept: */*', 'Host: SLUG.localhost'],
    ['Host: SLUG.localhost', ...Array<string>(1_100).fill('a:'), 'Host: evil.org'],
  ])('a request with two Host headers is refused: %s, %s', async (...fields) => {
    for (const version of ['1.1', '1.0']) {
      // Also if the same page was requested correctly just before.
      const request = `GET / HTTP/${version}`;
      const [, second = ''] = (
        await send('GET / HTTP/1.1', 'Host: SLUG.localhost', '', request, ...fields)
      ).split(/(?=HTTP\/1\.1 400 )/);
      expect(second).toMatch(MALFORMED);
    }
  });

  it('the host never comes from a proxy’s header', async () => {
    const forwarded = ['X-Forwarded-Host: SLUG.localhost', 'Forwarded: host=SLUG.localhost'];
    expect(await send('GET / HTTP/1.1', 'Host: localhost', ...forwarded, close)).toMatch(OF_API);
    expect(await send('GET / HTTP/1.1', 'Host: evil.org', 'X-Forwarded-Host: localhost', close)).toMatch(
      MISDIRECTED,
    );
  });
});

describe('the host of an absolute request target', () => {
  it.each([
    ['http://localhost/', 'SLUG.localhost', OF_API],
    ['https://API.platen.example:8443/', 'evil.org', OF_API],
    ['http://[::1]/', 'evil.org', OF_API],
    ['HTTP://SLUG.localhost:PORT/', 'localhost', OF_BLOG],
    ['http://SLUG.localhost', 'evil.org', OF_BLOG],
    ['http://SLUG.localhost?x', 'evil.org', OF_BLOG],
    ['http://evil.org/', 'localhost', MISDIRECTED],
    ['http://evil.org/', 'SLUG.localhost', MISDIRECTED],
    ['http://evil.org?@localhost/', 'localhost', MISDIRECTED],
    ['http://nobody.localhost/', 'localhost', /^HTTP\/1\.1 404 .*There is no blog here/s],
    ['http://localhost@evil.org/', 'localhost', MALFORMED],
    ['http://evil.org@localhost/', 'localhost', MALFORMED],
    ['http://localhost\\@evil.org/', 'localhost', MALFORMED],
    ['http://../', 'localhost', MALFORMED],
    ['http:///', 'localhost', MALFORMED],
    ['ftp://localhost/', 'localhost', MALFORMED],
    ['http://localhost/', 'a@b', MALFORMED],
    ['http://localhost/', '..', MALFORMED],
  ])(
    'the host of the target wins over the header, which must be valid too: %s, %s',
    async (target, host, expected) => {
      expect(await send(`GET ${target} HTTP/1.1`, `Host: ${host}`, close)).toMatch(expected);
    },
  );

  it('an absolute target of HTTP/1.0 needs no Host header', async () => {
    expect(await send('GET http://localhost/ HTTP/1.0')).toMatch(OF_API);
    expect(await send('GET http://evil.org/ HTTP/1.0')).toMatch(MISDIRECTED);
  });

  it('the header decides if the target is the server itself', async () => {
    expect(await send('OPTIONS * HTTP/1.1', 'Host: evil.org', close)).toMatch(MISDIRECTED);
    expect(await send('OPTIONS * HTTP/1.1', 'Host: localhost', close)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('hosts if blogs are served from a bucket', () => {
  const headers = '/*\n  X-Content-Type-Options: nosniff\n';
  const blogHosts = createMisdirectedBlogHosts({ blogHost: 'blogs.example', headers });
  const hosts = createHostRouter({ apiHosts: ['api.example', 'blogs.example'], blogHosts, headers });
  const api = express().use((_req, res) => void res.json({ name: 'Platen' }));
  const server = createHttpServer(hosts, api);
  let elsewhere: number;
  beforeAll(async () => {
    elsewhere = await listen(server, 0);
  });
  afterAll(() => closeServer(server));

  it.each([
    ['localhost', OF_API],
    ['127.0.0.1:80', OF_API],
    ['[::1]', OF_API],
    ['api.example', OF_API],
    ['blogs.example:443', OF_API],
    ['a.blogs.example', /^HTTP\/1\.1 421 .*nosniff.*published to a bucket/s],
    ['www.custom.example', /^HTTP\/1\.1 421 .*nosniff.*PLATEN_PUBLIC_URL/s],
    ['..', MALFORMED],
    ['a@b', MALFORMED],
    ['api.example\r\nHost: api.example', MALFORMED],
  ])('the host is classified alike if blogs are served from a bucket: %s', async (host, expected) => {
    const request = `GET /v1/posts HTTP/1.1\r\nHost: ${host}\r\n${close}\r\n\r\n`;
    expect(await exchange(elsewhere, request)).toMatch(expected);
  });
});
