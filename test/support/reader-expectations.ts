import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redirectHtml } from '../../generator/render/redirect-html.ts';

/** An edge with a server for readers. The blog `blog` is at `blog.localhost`. */
export interface ReadersEdge {
  readonly port: number;
  put(path: string, content: string | Uint8Array): Promise<void> | void;
  close(): Promise<void>;
}

export interface ReadersEdgeOptions {
  /** The `_headers` of a blog without additions. */
  readonly defaultHeaders: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const defaultHeaders =
  "/*\n  X-Content-Type-Options: nosniff\n  Content-Security-Policy: default-src 'none'\n\n" +
  "/search/\n  ! Content-Security-Policy\n  Content-Security-Policy: default-src 'self'\n\n" +
  '/pagefind/*\n  ! Content-Security-Policy\n  Content-Security-Policy: default-src blob:\n';
const ownHeaders = defaultHeaders.replace("default-src 'none'", "default-src https: 'unsafe-inline'");

/** Start of the theme's redirect page (`redirect.ts`). */
const redirectPage = (to: string) =>
  `<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"/> <meta http-equiv="refresh" content="0; url=${to}"/></head></html>`;

const files: Readonly<Record<string, string>> = {
  'sites/blog/_headers': defaultHeaders,
  'sites/blog/index.html': '<title>Front</title>',
  'sites/blog/404.html': '<title>Nothing here, says the blog</title>',
  'sites/blog/a-post/index.html': '<title>A post</title>',
  'sites/blog/a-post.md': '# A post',
  'sites/blog/feed.xml': '<feed/>',
  'sites/blog/tags/日本/index.html': '<title>日本</title>',
  'sites/blog/search/index.html': '<title>Search</title>',
  'sites/blog/pagefind/pagefind.js': '// pagefind',
  'sites/blog/og/0123456789abcdef.png': 'png',
  'sites/blog/.hidden.txt': 'SECRET',
  'sites/blog/old/index.html': redirectPage('http://blog.localhost/a-post/'),
  'sites/blog/2019/hello.php': redirectHtml('https://elsewhere.example/x?a=1&b=2#part'),
  'sites/blog/v1.2/日/index.html': redirectHtml('http://blog.localhost/a-post/'),
  'sites/blog-2/secret.txt': 'SECRET',
  'secret.txt': 'SECRET',
  'sites/own/_headers': ownHeaders,
  'sites/own/index.html': '<title>Own</title>',
  'sites/own/404.html': '<title>Own nothing</title>',
  'sites/own/search/index.html': '<title>Own search</title>',
  'hosts/blog.localhost': JSON.stringify({ blog: 'blog', url: 'http://blog.localhost/' }),
  'hosts/own.localhost': JSON.stringify({ blog: 'own', url: 'https://www.own.example/' }),
  'hosts/www.own.example': JSON.stringify({ blog: 'own', url: 'https://www.own.example/' }),
  'hosts/earlier.example': JSON.stringify({ blog: 'own', url: 'https://www.own.example/' }),
};

/** The behaviour that readers may expect of every edge. */
export function describeReaders(
  name: string,
  start: (options: ReadersEdgeOptions) => Promise<ReadersEdge>,
): void {
  describe(name, () => {
    let edge: ReadersEdge;
    beforeAll(async () => {
      edge = await start({ defaultHeaders });
      for (const [path, content] of Object.entries(files)) await edge.put(path, content);
    });
    afterAll(() => edge.close());

    const read = (path: string, host = 'blog.localhost', method = 'GET'): Promise<Answer> =>
      new Promise((resolve, reject) => {
        request({ port: edge.port, path, method, agent: false, headers: { host } }, (res) => {
          const chunks: Buffer[] = [];
          res
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('error', reject)
            .on('end', () => {
              const text = Buffer.concat(chunks).toString('utf8');
              resolve({ status: res.statusCode ?? 0, headers: res.headers, text });
            });
        })
          .on('error', reject)
          .end();
      });

    /** An edge may add the final slash of an address before it checks whether the page exists. */
    const readOn = async (path: string): Promise<Answer> => {
      const first = await read(path);
      const { location } = first.headers;
      return first.status === 301 && location === `${path}/` ? read(location) : first;
    };

    it.each([
      ['/', 'text/html; charset=utf-8', 'Front'],
      ['/a-post/', 'text/html; charset=utf-8', 'A post'],
      ['/a-post/?utm_source=x', 'text/html; charset=utf-8', 'A post'],
      ['/a-post/index.html', 'text/html; charset=utf-8', 'A post'],
      ['/a-post.md', 'text/markdown; charset=utf-8', 'A post'],
      ['/./a-post//', 'text/html; charset=utf-8', 'A post'],
      ['/missing/../a-post/', 'text/html; charset=utf-8', 'A post'],
      ['/%61-post/', 'text/html; charset=utf-8', 'A post'],
      ['/tags/%E6%97%A5%E6%9C%AC/', 'text/html; charset=utf-8', '日本'],
      ['/tags/%e6%97%a5%e6%9c%ac/', 'text/html; charset=utf-8', '日本'],
      ['/feed.xml', 'application/xml; charset=utf-8', '<feed/>'],
    ])('an edge serves a file with its content type: %s', async (path, type, words) => {
      const { status, headers, text } = await read(path);
      expect([status, headers['content-type']]).toEqual([200, type]);
      expect(text).toContain(words);
      expect(headers['cache-control']).toMatch(/^public, max-age=0, /);
    });

    it('an edge lets caches keep a file for ever if its name contains its hash', async () => {
      const { headers } = await read('/og/0123456789abcdef.png');
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    });

    it.each([
      ['/a-post', '/a-post/'],
      ['/a-post?a=1&b=%C3%A9&a=2', '/a-post/?a=1&a=2&b=%C3%A9'],
      ['/tags/%E6%97%A5%E6%9C%AC', '/tags/%E6%97%A5%E6%9C%AC/'],
      ['//a-post', '/a-post/'],
      ['///a-post', '/a-post/'],
    ])('an edge redirects an address without its final slash: %s', async (path, to) => {
      const { status, headers } = await read(path);
      const [target = '', query = ''] = String(headers.location).split('?');
      expect([status, target]).toEqual([301, to.split('?')[0]]);
      expect(query.split('&').sort()).toEqual((to.split('?')[1] ?? '').split('&').sort());
      expect(headers['x-content-type-options']).toBe('nosniff');
    });

    it.each([
      '/missing',
      '/missing/',
      '/missing.html',
      '/a-post/missing/',
      '/index.htm',
      '/A-POST/',
      '/%zz',
      '/%ff/',
      '/%00',
      '/a-post/index.html/',
      '/_headers',
      '/.hidden.txt',
      '/%2ehidden.txt',
      '/a-post/../.hidden.txt',
    ])('an edge answers a missing address with the blog’s own 404 page: %s', async (path) => {
      const { status, headers, text } = await readOn(path);
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain('Nothing here, says the blog');
      expect(headers.etag).toBeUndefined();
      expect(headers['content-security-policy']).toBe("default-src 'none'");
      expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    });

    it.each(['..', '%2e%2e', '.%2e', '..%2f.', '..%5c.', '..\\.', '%252e%252e', '..;', '.../..'])(
      'an edge serves no file outside the blog: %s',
      async (step) => {
        for (const path of [
          `/${step}/secret.txt`,
          `/${step}/${step}/secret.txt`,
          `/${step}/blog-2/secret.txt`,
          `/a-post/${step}/${step}/blog-2/secret.txt`,
          `/${step}%2fblog-2%2fsecret.txt`,
          `//${step}/blog-2/secret.txt`,
        ]) {
          const { status, text } = await read(path);
          expect([301, 400, 404], path).toContain(status);
          expect(text, path).not.toContain('SECRET');
        }
      },
    );

    it.each([
      '//evil.example',
      '/\\evil.example',
      '/%2f%2fevil.example',
      '//evil.example@a-post',
      '/%5ca-post',
    ])('an edge never redirects to another host: %s', async (path) => {
      const { location } = (await read(path)).headers;
      if (location === undefined) return;
      expect(new URL(String(location), `http://blog.localhost${path}`).origin).toBe('http://blog.localhost');
    });

    it.each(['/a-post%0d%0aSet-Cookie:x=1', '/a-post%0aX:y', '/tags%0d%0a%0d%0a<script>'])(
      'an address cannot add a header to an edge’s redirect: %s',
      async (path) => {
        const { headers, text } = await read(path);
        expect(headers['set-cookie'] ?? headers.x).toBeUndefined();
        expect(text).not.toContain('<script>');
      },
    );

    it('an edge sends the headers of the blog, and those of a path with additional ones', async () => {
      const policy = async (path: string, host?: string) =>
        (await read(path, host)).headers['content-security-policy'];
      expect(await policy('/')).toBe("default-src 'none'");
      expect(await policy('/search/')).toBe("default-src 'self'");
      expect(await policy('/search/?q=x')).toBe("default-src 'self'");
      expect(await policy('/pagefind/pagefind.js')).toBe('default-src blob:');
      expect(await policy('/', 'www.own.example')).toBe("default-src https: 'unsafe-inline'");
      expect(await policy('/search/', 'www.own.example')).toBe("default-src 'self'");
      expect(await policy('/missing/', 'www.own.example')).toBe("default-src https: 'unsafe-inline'");
    });

    it.each([
      ['own.localhost', '/a/b/?x=1', 'https://www.own.example/a/b/?x=1'],
      ['own.localhost', '/', 'https://www.own.example/'],
      ['earlier.example', '/tags/%E6%97%A5/', 'https://www.own.example/tags/%E6%97%A5/'],
      ['own.localhost', '//evil.example/', 'https://www.own.example/evil.example/'],
      ['OWN.localhost.:80', '/x', 'https://www.own.example/x'],
    ])(
      'an edge redirects from a former host of a blog to its current one: %s%s',
      async (host, path, location) => {
        const { status, headers } = await read(path, host);
        expect([status, headers.location]).toEqual([301, location]);
        expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
      },
    );

    it('an edge redirects a former address to the new one and keeps the query', async () => {
      for (const [path, to] of [
        ['/old/', 'http://blog.localhost/a-post/'],
        ['/old/?page=2', 'http://blog.localhost/a-post/?page=2'],
        ['/old/index.html', 'http://blog.localhost/a-post/'],
        ['/2019/hello.php', 'https://elsewhere.example/x?a=1&b=2#part'],
        ['/2019/hello.php?c=3', 'https://elsewhere.example/x?a=1&b=2&c=3#part'],
        ['/v1.2/%E6%97%A5/', 'http://blog.localhost/a-post/'],
      ] as const) {
        const { status, headers } = await read(path);
        expect([status, headers.location], path).toEqual([301, to]);
        expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
        expect(headers['x-amz-meta-location']).toBeUndefined();
        expect(headers['x-content-type-options']).toBe('nosniff');
      }
    });

    it('an edge redirects an address without its final slash, in two steps or in one', async () => {
      const { status, headers } = await readOn('/v1.2/%e6%97%a5');
      expect([status, headers.location]).toEqual([301, 'http://blog.localhost/a-post/']);
    });

    it.each(['BLOG.localhost', 'blog.localhost:81', 'blog.localhost.', 'blog.LOCALHOST.:80'])(
      'an edge finds a blog by its host: %s',
      async (host) => {
        expect((await read('/', host)).text).toContain('Front');
      },
    );

    it.each([
      'nobody.localhost',
      'nobody.blog.localhost',
      '-blog.localhost',
      '__proto__.localhost',
      'constructor.localhost',
    ])('an edge has no blog at %s', async (host) => {
      for (const path of ['/', '/a-post/', '/../blog/index.html']) {
        const { status, headers, text } = await read(path, host);
        expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
        expect(text).toContain('There is no blog here');
      }
    });

    // The embedded edge reports a malformed request, CloudFront a missing blog.
    it.each(['blog..localhost', '*.localhost', `${'x'.repeat(64)}.localhost`, 'blog@x.localhost'])(
      'an edge has no blog at an invalid host name: %s',
      async (host) => {
        for (const path of ['/', '/a-post/', '/../blog/index.html']) {
          expect([400, 404]).toContain((await read(path, host)).status);
        }
      },
    );

    it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('an edge refuses %s', async (method) => {
      for (const path of ['/', '/a-post/', '/missing/']) {
        const { status, headers } = await read(path, 'blog.localhost', method);
        expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
        expect(headers['x-content-type-options']).toBe('nosniff');
      }
    });

    it('an edge answers HEAD like GET', async () => {
      for (const path of ['/', '/a-post/', '/missing.html', '/old/']) {
        const [get, head] = [await read(path), await read(path, 'blog.localhost', 'HEAD')];
        expect([head.status, head.text]).toEqual([get.status, '']);
        expect(head.headers['content-type']).toBe(get.headers['content-type']);
      }
    });
  });
}
