import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../../server/app.ts';
import { guideSections } from '../../../server/runtime/guide-sections.ts';
import { openWorkshop, type Workshop } from '../../support/site-builder.ts';

/** As Chromium sends it. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

let workshop: Workshop;
let server: Server;
let origin: string;

beforeAll(async () => {
  workshop = await openWorkshop({
    PLATEN_OWNER_EMAIL: 'a@example.org',
    PLATEN_PUBLIC_URL: 'https://platen.example.org/press',
    PLATEN_BLOG_HOST: 'blogs.example.org',
  });
  server = createServer(createApp(workshop.services)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterAll(async () => {
  server.close();
  await workshop.close();
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(origin + path, { redirect: 'manual', headers });
const open = (path: string) => get(path, { Accept: BROWSER });

describe('the root of the public host', () => {
  it('a browser gets a page with a first request to this very address', async () => {
    const answer = await open('/');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('vary')).toContain('Accept');
    const html = await answer.text();
    expect(html).toContain('https://platen.example.org/press/v1/discover?q=welcome');
    for (const link of ['docs/', 'docs/reference/', 'docs/start/#the-key', 'v1/openapi.json']) {
      expect(html).toContain(`href="/press/${link}"`);
    }
    expect(html).not.toMatch(/localhost|%[A-Z]/);
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html'])(
    'a client that accepts %s gets JSON',
    async (accept) => {
      const answer = await get('/', accept === undefined ? {} : { Accept: accept });
      expect(answer.headers.get('vary')).toContain('Accept');
      const publicUrl = 'https://platen.example.org/press';
      expect(await answer.json()).toEqual({
        name: 'Platen',
        api: `${publicUrl}/v1`,
        docs: `${publicUrl}/docs/`,
        reference: `${publicUrl}/docs/reference/`,
        openapi: `${publicUrl}/v1/openapi.json`,
      });
    },
  );

  it('the page links to the oldest blog of the owner that is not taken down, and to no blog of others', async () => {
    const { services, newBlog, newCaller, clock } = workshop;
    const shown = async () => {
      // The page asks the database once a minute.
      clock.skip(1);
      const html = await (await open('/')).text();
      return Array.from(html.matchAll(/https:\/\/(\w+)\.blogs\.example\.org\/"/g), ([, slug]) => slug);
    };
    expect(await shown()).toEqual([]);
    await newBlog('tenant', await newCaller('tenant@example.org'));
    expect(await shown()).toEqual([]);
    const first = await newBlog('first');
    await newBlog('second');
    expect(await shown()).toEqual(['first']);
    await services.moderation.takeDownBlog('first', 'spam');
    expect(await shown()).toEqual(['second']);
    await services.moderation.restoreBlog('first');
    expect(await shown()).toEqual(['first']);
    await services.removal.deleteBlog(workshop.caller, first.id);
    expect(await shown()).toEqual(['second']);
  });

  it('requests within a minute do not ask the database again', async () => {
    const { newBlog, clock } = workshop;
    clock.skip(1);
    const etags = new Set<string | null>();
    etags.add((await open('/')).headers.get('etag'));
    const { db } = workshop.services;
    const only = await db.selectFrom('blogs').select('id').where('slug', '=', 'second').executeTakeFirst();
    await workshop.services.removal.deleteBlog(workshop.caller, only?.id ?? '');
    await newBlog('third');
    for (let n = 0; n < 3; n += 1) etags.add((await open('/')).headers.get('etag'));
    expect(etags.size).toBe(1);
    clock.skip(1);
    expect(await (await open('/')).text()).toContain('https://third.blogs.example.org/');
  });
});

describe('the guides on the public host', () => {
  it('a guide is a page with the addresses of this server', async () => {
    const answer = await get('/docs/start/');
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html).toContain('curl -X POST https://platen.example.org/press/v1/posts');
    expect(html).toContain('https://starter.blogs.example.org/hello-world/');
    expect(html).not.toContain('localhost:8080');
  });

  it('the overview leads to the reference, which needs no guide', async () => {
    expect(await (await get('/docs/')).text()).toContain('href="./reference/"');
    expect(await (await get('/docs/reference/')).text()).toContain('swagger-ui');
  });

  it.each([
    ['/docs', '/press/docs/'],
    ['/docs?a=//evil.example', '/press/docs/'],
    ['/docs/markdown', '/press/docs/markdown/'],
    ['/docs/decisions/0001-mdsvex-for-our-pages-never-for-posts', undefined],
  ])('%s is redirected to the address with a slash', async (path, location) => {
    const answer = await get(path);
    expect(answer.status).toBe(301);
    expect(answer.headers.get('location')).toBe(location ?? `/press${path}/`);
  });

  it.each([
    '/docs/nothing',
    '/docs/index.html',
    '/docs/home.html',
    '/docs/..%2fserver',
    '/docs/%2e%2e/package.json',
  ])('there is nothing at %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('pages are revalidated, and files with a hash in their names are kept for ever', async () => {
    const page = await get('/docs/markdown/');
    expect(page.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    const etag = page.headers.get('etag') ?? '';
    // Without the second header, `fetch` adds one that forbids a 304.
    const askAgain = (tag: string) =>
      get('/docs/markdown/', { 'If-None-Match': tag, 'Cache-Control': 'max-age=0' });
    expect((await askAgain(etag)).status).toBe(304);
    expect((await askAgain('"another"')).status).toBe(200);
    const [, css = ''] = /href="\.\.\/(guides-\w+\.css)"/.exec(await page.text()) ?? [];
    const styles = await get(`/docs/${css}`);
    expect(styles.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(styles.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('the search index has the addresses of this server', async () => {
    const [, index = ''] =
      /data-index="\.\.\/(search-\w+\.json)"/.exec(await (await get('/docs/search/')).text()) ?? [];
    const answer = await get(`/docs/${index}`);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.stringify(await answer.json())).toMatch(
      /curl https:\/\/platen\.example\.org\/press\/v1\/blogs/,
    );
  });

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('a client that accepts the encoding %s gets it', async (accepted, encoding) => {
    const answer = await get('/docs/markdown/', { 'Accept-Encoding': accepted });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toContain('Accept-Encoding');
    expect(await answer.text()).toContain('What a post may use');
  });

  it.each(['/', '/docs/', '/docs/markdown/', '/docs/search/', '/docs/reference/', '/nothing'])(
    'the page %s may load from this server only, and no other page may frame it',
    async (path) => {
      const { headers } = await open(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );
});

describe('an unknown path of the public host', () => {
  it.each(['/dashboard', '/foo/bar', '/docs/foo', '/%3Cscript%3E'])(
    '%s is a page for browsers',
    async (path) => {
      const answer = await open(path);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const html = await answer.text();
      expect(html).toContain('There is nothing here');
      expect(html).toContain('href="/press/docs/"');
      expect(html).not.toMatch(/foo(?!ter)|%3C|<script>/);
    },
  );

  it.each(['/dashboard', '/docs/foo'])('%s is an error object for other clients', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('vary')).toContain('Accept');
    expect(await answer.json()).toMatchObject({ error: 'not_found' });
  });

  it('below /v1, and for writes, it is an error object for browsers too', async () => {
    expect((await open('/v1/foo')).headers.get('content-type')).toContain('application/json');
    const answer = await fetch(`${origin}/foo`, { method: 'POST', headers: { Accept: BROWSER } });
    expect(answer.headers.get('content-type')).toContain('application/json');
  });
});

describe('errors of the API', () => {
  it('an error links to the section of the guides that explains it', async () => {
    const answer = await get('/v1/posts');
    expect(answer.status).toBe(401);
    const { docs } = z.object({ docs: z.string() }).parse(await answer.json());
    expect(docs).toBe(`https://platen.example.org/press/docs/${guideSections.credentials}`);
    expect((await get(new URL(docs).pathname.replace('/press', ''))).status).toBe(200);
  });

  it('an error that no guide explains has no link', async () => {
    expect(await (await get('/v1/nothing')).json()).not.toHaveProperty('docs');
  });
});
