// Slow: starts a whole server, and waits for rebuilds.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
let author: Author;
let card: string;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
  await author.post({ slug: 'a-post', tags: ['日本'] }, { Prefer: 'wait=60' });
  card = new URL((await author.call('GET', '/posts/a-post')).json.og_image_url).pathname;
});
afterAll(() => platen.close());

const read = (path: string, headers = {}, method = 'GET') =>
  platen.read(author.blogSlug, path, { method, headers });

describe('a file of a blog', () => {
  it.each([
    ['/', 'text/html; charset=utf-8'],
    ['/a-post/', 'text/html; charset=utf-8'],
    ['/a-post/?utm_source=x', 'text/html; charset=utf-8'],
    ['/a-post/index.html', 'text/html; charset=utf-8'],
    ['/tags/%E6%97%A5%E6%9C%AC/', 'text/html; charset=utf-8'],
    ['/feed.xml', 'application/xml; charset=utf-8'],
    ['/sitemap.xml', 'application/xml; charset=utf-8'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
  ])('a file is served with its content type: %s', async (path, type) => {
    const { status, headers } = await read(path);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  });

  it('a file whose name contains its hash may be cached for ever', async () => {
    const { status, headers } = await read(card);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const missing = await read(card.replace(/[0-9a-f]{8}\./, '00000000.'));
    expect(missing.status).toBe(404);
    expect(missing.headers.get('cache-control')).not.toContain('immutable');
  });

  it('HEAD of a file has everything but its bytes', async () => {
    const get = await read('/a-post/');
    const head = await read('/a-post/', {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    for (const name of ['content-type', 'etag', 'last-modified', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it('a file is not sent again to a client that has it until it changes', async () => {
    const first = await read('/a-post/');
    const etag = { 'If-None-Match': first.headers.get('etag') ?? '' };
    const since = { 'If-Modified-Since': first.headers.get('last-modified') ?? '' };
    for (const condition of [etag, since, { 'If-None-Match': '*' }]) {
      const again = await read('/a-post/', condition);
      expect([again.status, again.text]).toEqual([304, '']);
    }
    expect((await read('/a-post/', { 'If-None-Match': '"another"' })).status).toBe(200);
    await author.call('PUT', '/posts/a-post', { content: 'Changed since.' }, { Prefer: 'wait=60' });
    const changed = await read('/a-post/', etag);
    expect(changed.status).toBe(200);
    expect(changed.text).toContain('Changed since.');
  });

  it('a file is compressed for clients that accept that, except parts and compressed formats', async () => {
    const encoding = async (path: string, headers = {}) =>
      (await read(path, { 'Accept-Encoding': 'gzip', ...headers })).headers.get('content-encoding');
    for (const path of ['/', '/a-post/', '/search/']) expect(await encoding(path), path).toBe('gzip');
    expect((await read('/', { 'Accept-Encoding': 'gzip, br' })).headers.get('content-encoding')).toBe('br');
    expect((await read('/')).headers.get('vary')).toContain('Accept-Encoding');
    expect(await encoding('/', { Range: 'bytes=0-99' })).toBeNull();
    expect(await encoding(card)).toBeNull();
  });

  it('a file is sent in parts', async () => {
    const { text } = await read('/robots.txt');
    const part = await read('/robots.txt', { Range: 'bytes=2-5' });
    expect([part.status, part.text]).toEqual([206, text.slice(2, 6)]);
    expect(part.headers.get('content-range')).toBe(`bytes 2-5/${text.length}`);
    const end = await read('/robots.txt', { Range: 'bytes=-3' });
    expect(end.text).toBe(text.slice(-3));
    expect((await read('/robots.txt', { Range: 'bytes=99999-' })).status).toBe(416);
  });

  it.each(['/', '/a-post/', '/missing/', '/feed.xml', '/a-post'])(
    'a file is served with security headers: %s',
    async (path) => {
      const { headers } = await read(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
      // Scripts are allowed by hash only.
      expect(headers.get('content-security-policy')).toMatch(/script-src(?: 'sha256-[\w+/]+=*')+;/);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
      expect(headers.has('x-powered-by')).toBe(false);
      expect(headers.has('set-cookie')).toBe(false);
    },
  );
});

describe('addresses of a blog', () => {
  it.each([
    ['/a-post', '/a-post/'],
    ['/tags/%E6%97%A5%E6%9C%AC', '/tags/%E6%97%A5%E6%9C%AC/'],
    ['//a-post', '/a-post/'],
    ['///a-post', '/a-post/'],
  ])('an address without its final slash is redirected: %s', async (path, location) => {
    const { status, headers } = await read(path);
    expect([status, headers.get('location')]).toEqual([301, location]);
  });

  it.each(['/missing', '/missing/', '/a-post/missing', '/a-post/index', '/index.htm', '/%zz', '/A-POST/'])(
    'a missing address gets the blog’s own 404 page: %s',
    async (path) => {
      const get = await read(path);
      expect(get.status).toBe(404);
      expect(get.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(get.text).toContain('Blog 1');
      const head = await read(path, {}, 'HEAD');
      expect([head.status, head.text]).toEqual([404, '']);
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    },
  );

  it('a missing address is still a 404 for a client that has cached it', async () => {
    const { headers } = await read('/missing/');
    expect(headers.has('etag')).toBe(false);
    const conditions = {
      'If-None-Match': '*',
      'If-Modified-Since': new Date().toUTCString(),
      Range: 'bytes=0-1',
    };
    expect((await read('/missing/', conditions)).status).toBe(404);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'an address of a blog refuses %s',
    async (method) => {
      for (const path of ['/', '/a-post/', '/missing/']) {
        const { status, headers } = await read(path, {}, method);
        expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      }
    },
  );
});

it('a blog that is not built yet answers with a plain page', async () => {
  mkdirSync(join(platen.dataDir, 'edge', 'sites', 'unpressed'));
  for (const method of ['GET', 'HEAD']) {
    const { status, text } = await platen.read('unpressed', '/', { method });
    expect(status).toBe(404);
    expect(text.includes('There is no blog here')).toBe(method === 'GET');
  }
});
