import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EdgeServer, startEdgeServer } from '../../support/edge-server.ts';

let edge: EdgeServer;
beforeAll(async () => {
  edge = await startEdgeServer();
});
afterAll(() => edge.close());

const page = `<!doctype html><title>A page</title>${'<p>Some words of it.</p>'.repeat(100)}`;
const large = 'A line of a large file.\n'.repeat(60_000);
beforeEach(() => {
  edge.put('sites/blog/index.html', page);
  edge.put('sites/blog/404.html', `<title>Nothing here</title>${page}`);
  edge.put('sites/blog/large.txt', large);
});

const encodingOf = async (accepted: string, path = '/') =>
  (await edge.read(path, { 'Accept-Encoding': accepted })).headers['content-encoding'];

describe('a page on the embedded edge', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity, *;q=0', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=x', undefined],
    ['deflate', undefined],
    ['', undefined],
    [',;q=1,=', undefined],
  ])('a page is sent in the client’s preferred encoding: %j', async (accepted, encoding) => {
    expect(await encodingOf(accepted)).toBe(encoding);
  });

  it.each(['/', '/large.txt', '/missing'])(
    'a page has the same content and a different tag in every encoding: %s',
    async (path) => {
      const plain = await edge.read(path);
      const br = await edge.read(path, { 'Accept-Encoding': 'br' });
      const gzip = await edge.read(path, { 'Accept-Encoding': 'gzip' });
      expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
      expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
      const answers = [plain, br, gzip];
      for (const { headers } of answers) expect(headers.vary).toBe('Accept-Encoding');
      const tags = answers.map(({ headers }) => headers.etag);
      if (path === '/missing') expect(tags).toEqual([undefined, undefined, undefined]);
      else expect(new Set(tags).size).toBe(3);
    },
  );

  it('a page is not compressed if that makes it no smaller', async () => {
    edge.put('sites/blog/noise.txt', randomBytes(5_000));
    edge.put('sites/blog/short.txt', 'short '.repeat(5));
    edge.put('sites/blog/picture.png', page);
    for (const path of ['/noise.txt', '/short.txt', '/picture.png']) {
      expect(await encodingOf('br, gzip', path), path).toBeUndefined();
    }
    expect((await edge.read('/picture.png')).headers.vary).toBeUndefined();
  });

  it.each(['/', '/large.txt'])(
    'a page is not sent to a client that has it, and the 304 has the headers of the page: %s',
    async (path) => {
      for (const accepted of ['identity', 'gzip']) {
        const whole = await edge.read(path, { 'Accept-Encoding': accepted });
        const { etag = '', 'last-modified': modified = '' } = whole.headers;
        for (const condition of [
          { 'If-None-Match': etag },
          { 'If-None-Match': `"x", W/${etag}` },
          { 'If-None-Match': etag, 'If-Modified-Since': new Date(0).toUTCString() },
          { 'If-Modified-Since': modified },
        ]) {
          const { status, headers, body } = await edge.read(path, {
            ...condition,
            'Accept-Encoding': accepted,
          });
          expect([status, body.length]).toEqual([304, 0]);
          for (const name of ['etag', 'vary', 'cache-control', 'x-plain']) {
            expect(headers[name], name).toBe(whole.headers[name]);
          }
          expect(headers['content-type']).toBeUndefined();
        }
        const stale = { 'If-None-Match': '"x"', 'If-Modified-Since': modified };
        expect((await edge.read(path, stale)).status).toBe(200);
      }
    },
  );

  it('a page is refused to a client that requires another version', async () => {
    const { etag = '', 'last-modified': modified = '' } = (await edge.read('/')).headers;
    const before = new Date(Date.parse(modified) - 1_000).toUTCString();
    for (const [condition, status] of [
      [{ 'If-Match': etag }, 200],
      [{ 'If-Match': '*' }, 200],
      [{ 'If-Match': '"x"' }, 412],
      [{ 'If-Unmodified-Since': modified }, 200],
      [{ 'If-Unmodified-Since': before }, 412],
      [{ 'If-Unmodified-Since': 'never' }, 200],
    ] as const) {
      expect((await edge.read('/', condition)).status, JSON.stringify(condition)).toBe(status);
    }
  });

  it.each(['/', '/large.txt'])('HEAD of a page has the headers of GET: %s', async (path) => {
    for (const accepted of ['identity', 'gzip']) {
      const get = await edge.read(path, { 'Accept-Encoding': accepted });
      const head = await edge.read(path, { 'Accept-Encoding': accepted }, 'HEAD');
      expect([head.status, head.body.length]).toEqual([200, 0]);
      for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'vary']) {
        expect(head.headers[name], name).toBe(get.headers[name]);
      }
    }
  });

  it.each(['/', '/large.txt'])('a part of a page is sent from its own bytes: %s', async (path) => {
    const whole = (await edge.read(path)).body;
    const last = whole.length - 1;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=10-', 10, last],
      ['bytes=-10', last - 9, last],
      [`bytes=5-${last + 100}`, 5, last],
      [`bytes=-${last + 100}`, 0, last],
    ] as const) {
      const { status, headers, body } = await edge.read(path, { Range: range, 'Accept-Encoding': 'gzip' });
      expect([status, headers['content-range']]).toEqual([206, `bytes ${start}-${end}/${whole.length}`]);
      expect(headers['content-length']).toBe(String(end - start + 1));
      expect(body.equals(whole.subarray(start, end + 1)), range).toBe(true);
    }
    for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=', 'bytes=x-y', 'bytes=9-5', 'bytes']) {
      expect((await edge.read(path, { Range: range })).status, range).toBe(200);
    }
    for (const range of [`bytes=${whole.length}-`, 'bytes=-0']) {
      const { status, headers } = await edge.read(path, { Range: range });
      expect([status, headers['content-range']]).toEqual([416, `bytes */${whole.length}`]);
    }
  });

  it.each(['/', '/large.txt'])('a part of a page is sent only for the same version: %s', async (path) => {
    const { etag = '', 'last-modified': modified = '' } = (await edge.read(path)).headers;
    const statusOf = async (condition: string) =>
      (await edge.read(path, { Range: 'bytes=0-9', 'If-Range': condition })).status;
    const conditions = [etag, modified, '"x"', `W/${etag}`, new Date(0).toUTCString()];
    expect(await Promise.all(conditions.map(statusOf))).toEqual([206, 206, 200, 200, 200]);
  });
});

describe('freshness of the embedded edge', () => {
  const textOf = async (path: string) => (await edge.read(path)).body.toString();

  it('readers get the current file, however often it changes', async () => {
    for (let n = 100; n < 200; n += 1) {
      edge.put('sites/blog/index.html', `page ${n}`);
      expect(await textOf('/')).toBe(`page ${n}`);
    }
  });

  it('readers get the current file, even if size and time equal those of the old one', async () => {
    edge.put('sites/blog/index.html', 'one');
    const file = join(edge.dir, 'sites', 'blog', 'index.html');
    const { mtime } = statSync(file);
    expect(await textOf('/')).toBe('one');
    writeFileSync(file, 'two');
    utimesSync(file, mtime, mtime);
    expect(await textOf('/')).toBe('two');
  });

  it('readers get a file as soon as it exists, and a 404 as soon as it is gone', async () => {
    for (let n = 0; n < 20; n += 1) {
      expect((await edge.read('/new/')).status).toBe(404);
      edge.put('sites/blog/new/index.html', 'new');
      expect(await textOf('/new/')).toBe('new');
      unlinkSync(join(edge.dir, 'sites', 'blog', 'new', 'index.html'));
    }
  });

  it('readers get the current headers and host', async () => {
    for (let n = 0; n < 20; n += 1) {
      edge.put('sites/blog/_headers', `/*\n  X-Own: ${n}\n`);
      const { headers } = await edge.read('/');
      expect([headers['x-own'], headers['x-plain']]).toEqual([String(n), undefined]);
      const url = `http://${n % 2 === 0 ? 'blog.localhost' : 'elsewhere.example'}/`;
      edge.put('hosts/blog.localhost', JSON.stringify({ blog: 'blog', url }));
      expect((await edge.read('/')).status).toBe(n % 2 === 0 ? 200 : 301);
      edge.put('hosts/blog.localhost', 'half a fi');
      expect((await edge.read('/')).status).toBe(200);
    }
    unlinkSync(join(edge.dir, 'sites', 'blog', '_headers'));
    expect((await edge.read('/')).headers['x-plain']).toBe('yes');
  });

  it('readers never get a file behind a symbolic link', async () => {
    edge.put('secret.txt', 'secret');
    symlinkSync(join(edge.dir, 'secret.txt'), join(edge.dir, 'sites', 'blog', 'link.txt'));
    for (let n = 0; n < 2; n += 1) expect((await edge.read('/link.txt')).status).toBe(404);
  });
});

it('simultaneous readers of many blogs and pages each get their own page', async () => {
  const blogs = ['one', 'two', 'three'];
  for (const blog of blogs) {
    edge.put(`sites/${blog}/index.html`, `front of ${blog} ${page}`);
    edge.put(`sites/${blog}/a/index.html`, `a of ${blog} ${page}`);
  }
  const ask = async (n: number) => {
    const blog = blogs[n % 3] ?? '';
    const path = n % 2 === 0 ? '/' : '/a/';
    const zipped = n % 5 < 2;
    const headers = { host: `${blog}.localhost`, ...(zipped && { 'Accept-Encoding': 'gzip' }) };
    const { body } = await edge.read(path, headers);
    const text = (zipped ? gunzipSync(body) : body).toString();
    expect(text.startsWith(`${path === '/' ? 'front' : 'a'} of ${blog} `)).toBe(true);
  };
  await Promise.all(Array.from({ length: 300 }, (_, n) => ask(n)));
});

it('a file that cannot be read is a server error, and logged', async () => {
  edge.put('sites/blog/refused/index.html', page);
  const file = join(edge.dir, 'sites', 'blog', 'refused', 'index.html');
  rmSync(file);
  // The path is a socket, which cannot be opened.
  const socket = createServer().listen(file);
  await once(socket, 'listening');
  const { status, body } = await edge.read('/refused/?a');
  expect([status, body.toString()]).toEqual([500, expect.stringContaining('cannot be shown at the moment')]);
  expect(edge.failures).toEqual([
    {
      err: expect.objectContaining({ code: 'ENXIO' }),
      method: 'GET',
      host: 'blog.localhost',
      path: '/refused/',
    },
  ]);
  socket.close();
});
