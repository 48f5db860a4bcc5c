// Slow: starts a whole server, installs the package, and speaks to both in both versions.
import { rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConnectOptions,
  connectHttp,
  connectStdio,
  type McpConnection,
  protocolVersions,
} from '../../support/mcp-client.ts';
import { installPacked } from '../../support/packed-client.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let server: TestPlaten;
let installed: string;
beforeAll(async () => {
  [server, installed] = await Promise.all([startTestPlaten(), installPacked('mcp')]);
  await server.call('POST', '/blogs', { slug: 'notes', name: 'Notes' });
});
afterAll(async () => {
  await server.close();
  rmSync(dirname(installed), { recursive: true });
});

const overHttp = (options: ConnectOptions, key = server.key, headers = {}) =>
  connectHttp(server.origin, { Authorization: `Bearer ${key}`, ...headers }, options);
const overStdio = (options: ConnectOptions, key = server.key) =>
  connectStdio(
    {
      args: [join(installed, 'node_modules/.bin/platen-mcp')],
      env: { PLATEN_API_KEY: key, PLATEN_API_URL: server.origin },
      cwd: installed,
    },
    options,
  );
const pageOf = (blog: string, slug: string) => server.read(blog, `/${slug}/`);

describe.each(protocolVersions)('in the version %s', (version) => {
  describe.each([
    ['HTTP', overHttp],
    ['stdio, as it is installed', overStdio],
  ])('over %s', (transport, connect) => {
    let mcp: McpConnection;
    beforeAll(async () => {
      mcp = await connect({ version });
    });
    afterAll(() => mcp.close());
    const slug = `ink-${version}-${transport.slice(0, 4).toLowerCase()}`;

    it('a post is written, changed, unpublished and deleted, and readers see each step when the tool answers', async () => {
      const post = { title: 'Ink', content: 'It *dries*.', slug, blog: 'notes' };
      const created = await mcp.call('create_post', post);
      expect(created.structuredContent).toMatchObject({ slug, status: 'published', url: expect.any(String) });
      expect((await pageOf('notes', slug)).text).toContain('<em>dries</em>');
      const edits = [{ find: 'dries', replace: 'flows' }];
      expect(await mcp.text('update_post', { slug, edits, blog: 'notes' })).toMatch(
        /Live at .* \(receipt .* written/,
      );
      expect((await pageOf('notes', slug)).text).toContain('<em>flows</em>');
      await mcp.text('unpublish_post', { slug, blog: 'notes' });
      expect((await pageOf('notes', slug)).status).toBe(404);
      expect(await mcp.text('get_post', { slug, blog: 'notes' })).toContain('status: "draft"');
      await mcp.text('delete_post', { slug, confirm: slug, blog: 'notes' });
      expect(await mcp.refusal('get_post', { slug, blog: 'notes' })).toMatch(/^not_found: /);
    });

    it('a picture goes in, and every reading tool answers in the shape that it declares', async () => {
      const data = { data: dot, filename: 'dot.png' };
      const uploaded = await mcp.text('upload_image', data);
      expect((await fetch(/\((.*)\)/.exec(uploaded)?.[1] ?? '')).status).toBe(200);
      expect(await mcp.text('list_posts')).toContain('welcome-to-platen');
      expect(await mcp.text('search_posts', { q: 'welcome' })).toContain('welcome-to-platen');
      expect(await mcp.text('discover_posts', { q: 'welcome' })).toContain('http://starter.localhost');
      expect(await mcp.text('get_analytics', { period: '7d' })).toContain('views in 7d');
      expect(await mcp.text('get_analytics', { slug: 'welcome-to-platen' })).toContain('views in 30d');
      expect(await mcp.text('list_blogs')).toContain('- notes: Notes');
    });

    it('blogs come and go, and a post can be scheduled and previewed', async () => {
      const blog = `b-${slug}`.replaceAll('.', '-');
      await mcp.text('create_blog', { slug: blog, name: 'B' });
      await mcp.text('update_blog', { blog, name: 'Renamed', settings: { accent_color: '#00aa77' } });
      await mcp.text('create_post', {
        title: 'Later',
        content: 'Text.',
        slug: 'later',
        status: 'draft',
        blog,
      });
      expect(await mcp.text('preview_post', { slug: 'later', blog })).toContain(`${server.origin}/preview/`);
      await mcp.text('schedule_post', { slug: 'later', scheduled_at: '2099-01-01T00:00:00Z', blog });
      await mcp.text('publish_post', { slug: 'later', blog });
      expect((await server.read(blog, '/')).text).toContain('Renamed');
      await mcp.text('delete_blog', { blog, confirm: blog });
      expect(await mcp.text('list_blogs')).not.toContain(blog);
    });

    it('pages, details of posts, new slugs and redirects are those of the API, with its warnings', async () => {
      const blog = `d-${slug}`.replaceAll('.', '-');
      await mcp.text('create_blog', { slug: blog, name: 'D' });
      await mcp.text('create_post', { title: 'About', content: 'Us.', slug: 'about', type: 'page', blog });
      const details = {
        series: { name: 'Ink', part: 1 },
        author: { name: 'Ada' },
        language: 'fr',
        published_at: '2019-03-14T09:30:00.000Z',
        canonical_url: 'https://elsewhere.example/ink',
        cover_image: { url: 'https://elsewhere.example/ink.jpg', alt: 'Ink' },
        featured: true,
      };
      await mcp.text('create_post', { title: 'Ink', content: 'Text.', slug: 'ink', ...details, blog });
      const { structuredContent } = await mcp.call('get_post', { slug: 'ink', blog });
      expect(structuredContent).toMatchObject({
        ...details,
        author: { name: 'Ada', url: null, image: null },
      });
      expect(await mcp.text('list_posts', { type: 'page', blog })).toMatch(
        /^- about: About \(page, .*\n1 in all/,
      );
      const rename = { slug: 'ink', new_slug: 'inks', series: null, language: null, blog };
      expect(await mcp.text('update_post', rename)).toContain('/inks/');
      const redirects = [
        { from: '/old.html', to: '/inks/' },
        { from: '/older.html', to: '/nothing/' },
      ];
      expect(await mcp.text('set_redirects', { redirects, blog })).toMatch(
        /^Redirects: 2 created\. Live .*\nWarning: .*\/nothing\/, where nothing is published yet$/,
      );
      expect(await mcp.text('list_redirects', { blog })).toContain('- /old.html -> /inks/');
      await mcp.text('remove_redirect', { from: '/old.html', blog });
      expect(await mcp.text('list_redirects', { blog })).not.toContain('/old.html');
      await mcp.text('delete_blog', { blog, confirm: blog });
    });

    it('resources are read, and slugs completed', async () => {
      const { contents } = await mcp.client.readResource({ uri: 'platen://style/starter' });
      expect(JSON.stringify(contents)).toContain('welcome-to-platen');
      const ref = { type: 'ref/prompt' as const, name: 'improve_post' };
      const { completion } = await mcp.client.complete({ ref, argument: { name: 'slug', value: 'wel' } });
      expect(completion.values).toEqual(['welcome-to-platen']);
    });
  });

  it('over stdio the active blog is kept for the process, and a picture may be a path', async () => {
    const mcp = await overStdio({ version });
    await mcp.text('set_active_blog', { blog_id: 'notes' });
    await mcp.text('create_post', {
      title: 'Active',
      content: 'Text.',
      slug: `active-${version}`,
      status: 'draft',
    });
    expect(await mcp.text('list_posts', { blog: 'notes' })).toContain(`active-${version}`);
    writeFileSync(join(installed, 'dot.png'), Buffer.from(dot, 'base64'));
    expect(await mcp.text('upload_image', { path: 'dot.png' })).toContain('.png)');
    await mcp.close();
  });

  it('over HTTP the active blog is no state, and the header of the client chooses one', async () => {
    const mcp = await overHttp({ version }, server.key, { 'X-Blog-Id': 'notes' });
    expect(await mcp.refusal('set_active_blog', { blog_id: 'starter' })).toContain('Give blog: "starter"');
    expect(await mcp.text('list_posts')).not.toContain('welcome-to-platen');
    await mcp.close();
  });

  // A server without sessions only learns of a client's forms in the version in which every request names them.
  it.each([
    ['stdio', overStdio, true],
    ['HTTP', overHttp, version === '2026-07-28'],
  ])(
    'over %s a person is asked before something goes, if the client is known to have forms',
    async (_, connect, isAsked) => {
      const asked: string[] = [];
      const person = (message: string) => {
        asked.push(message);
        return { action: 'accept' as const, delete: true };
      };
      const mcp = await connect({ version, person });
      await mcp.text('create_post', { title: 'Gone', content: 'Text.', slug: 'gone', status: 'draft' });
      const { isError = false } = await mcp.call('delete_post', { slug: 'gone' });
      expect({ asked: asked.length, isError }).toEqual({ asked: isAsked ? 1 : 0, isError: !isAsked });
      if (!isAsked) await mcp.text('delete_post', { slug: 'gone', confirm: 'gone' });
      await mcp.close();
    },
  );
});

describe('a key over HTTP', () => {
  const version = '2026-07-28';

  it('sees nothing of another account', async () => {
    const other = await overHttp({ version }, (await server.account({ tier: 'scale' })).key);
    expect(await other.text('list_blogs')).toContain('There is no blog');
    expect(await other.refusal('get_post', { slug: 'welcome-to-platen', blog: 'starter' })).toContain(
      'not_found',
    );
    const { data } = (await server.call('GET', '/blogs')).json;
    for (const { id } of data) {
      expect(await other.refusal('list_posts', { blog: id })).toContain('not_found');
      expect(await other.refusal('delete_blog', { blog: id, confirm: 'starter' })).toContain('not_found');
    }
    const { resources } = await other.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['platen://markdown']);
    await other.close();
  });

  it('can do what its scopes allow', async () => {
    const { json } = await server.call('POST', '/account/tokens', { name: 'Reader', scopes: ['posts:read'] });
    const reader = await overHttp({ version }, json.key);
    expect(await reader.text('list_posts')).toContain('welcome-to-platen');
    expect(await reader.refusal('create_post', { title: 'T', content: 'Text.' })).toMatch(
      /^forbidden: this API key lacks the scope posts:write\n.*\n.*docs/s,
    );
    await reader.close();
  });

  it('that is missing or wrong is a 401 with a challenge, in an answer that names what to send', async () => {
    for (const headers of [{}, { Authorization: 'Bearer pk_live_000000000000000000000000000000000000' }]) {
      const answer = await fetch(`${server.origin}/mcp`, { method: 'POST', headers, body: '{}' });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer/);
    }
  });

  it('shares the limit of its address where the API counts by address', async () => {
    const mcp = await overHttp({ version });
    const left = async () =>
      Number((await server.call('GET', '/discover?q=ink')).headers.get('X-RateLimit-Remaining'));
    const before = await left();
    await mcp.text('discover_posts', { q: 'ink' });
    expect(await left()).toBe(before - 2);
    await mcp.close();
  });

  it('uses up its requests by what tools do, and not by lists of tools', async () => {
    const { key } = await server.account({ tier: 'free' });
    const free = await overHttp({ version }, key);
    for (let i = 0; i < 70; i += 1) await free.client.listPrompts({}, { cacheMode: 'bypass' });
    for (let i = 0; i < 60; i += 1) await free.text('list_blogs');
    expect(await free.refusal('list_blogs')).toMatch(
      /rate_limit_exceeded: .*60 requests an hour\nWait \d+ seconds/,
    );
    expect((await server.call('GET', '/blogs', undefined, { key })).status).toBe(429);
    await free.close();
  });
});

describe('a request to /mcp', () => {
  it('has a limit of its own, ten times that of the API', async () => {
    const { key } = await server.account({ tier: 'free' });
    const ask = () => send({ Authorization: `Bearer ${key}` });
    expect((await ask()).headers.get('X-RateLimit-Limit')).toBe('600');
    for (let i = 1; i < 599; i += 1) await ask();
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
    expect((await server.call('GET', '/blogs', undefined, { key })).status).toBe(200);
  });

  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const send = (headers: Record<string, string>, body: unknown = list) =>
    fetch(`${server.origin}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${server.key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('comes from no page of another site', async () => {
    expect((await send({})).status).toBe(200);
    expect((await send({ Origin: server.origin })).status).toBe(200);
    for (const Origin of ['https://evil.example', 'null', `${server.origin}.evil.example`]) {
      expect((await send({ Origin })).status).toBe(403);
    }
  });

  it('is for a host of the service', async () => {
    const status = await new Promise((resolve) => {
      const headers = { host: 'evil.example', Authorization: `Bearer ${server.key}` };
      request(`${server.origin}/mcp`, { method: 'POST', headers }, (res) => resolve(res.statusCode)).end();
    });
    expect(status).toBe(421);
  });

  it('is one message of JSON with bounds', async () => {
    expect((await send({}, [list, list])).status).toBe(400);
    expect((await send({}, '{')).status).toBe(400);
    expect((await send({}, `\ufeff ${' '.repeat(200)}[]`)).status).toBe(400);
    expect((await send({}, { ...list, params: Array(60_000).fill(0) })).status).toBe(400);
    expect((await send({ 'Content-Type': 'text/plain' })).status).toBe(415);
    const read = (length: number) => ({
      ...list,
      method: 'resources/read',
      params: { uri: 'platen://'.padEnd(length, 'x') },
    });
    expect((await send({}, read(2_000))).status).toBe(200);
    expect((await send({}, read(2_001))).status).toBe(400);
    expect(
      (await send({}, { ...list, method: 'tools/call', params: { name: 'x'.repeat(2_001) } })).status,
    ).toBe(400);
    expect((await send({}, { ...list, params: { text: 'x'.repeat(8 * 1_048_576) } })).status).toBe(400);
  });

  it('with GET finds no stream, as there are no sessions', async () => {
    const headers = { Authorization: `Bearer ${server.key}`, Accept: 'text/event-stream' };
    expect((await fetch(`${server.origin}/mcp`, { headers })).status).toBe(405);
  });
});

it('a process without a key starts, and its tools say what is missing', async () => {
  const mcp = await connectStdio(
    { args: [join(installed, 'node_modules/.bin/platen-mcp')], env: {} },
    { version: '2025-11-25' },
  );
  expect(await mcp.refusal('list_posts')).toContain('PLATEN_API_KEY');
  await mcp.close();
});
