import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Platen, PlatenError, type PlatenOptions, UnauthorizedError } from '../../../clients/sdk/index.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
}

const KEY = 'pk_live_secret';

/** A client whose requests are answered by `answer`, by their method and path with query. */
function clientOf(answer: (request: string, sent: Sent) => Response | object, options: PlatenOptions = {}) {
  const sent: Sent[] = [];
  const platen = new Platen({
    apiKey: KEY,
    url: 'http://platen.test',
    maxRetries: 0,
    ...options,
    fetch: async (input, init) => {
      const path = String(input).replace('http://platen.test/v1', '');
      const request = {
        method: init?.method ?? '',
        path,
        headers: new Headers(init?.headers),
        body: init?.body,
      };
      sent.push(request);
      const given = answer(`${request.method} ${path}`, request);
      return given instanceof Response ? given : Response.json(given);
    },
  });
  return { platen, sent };
}

const blogs = {
  data: [
    { id: '019a2f6e-5b1c-7c3d-9e4f-0a1b2c3d4e5f', slug: 'first' },
    { id: '019a2f6e-5b1c-7c3d-9e4f-000000000002', slug: 'second' },
  ],
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('what a client sends', () => {
  it('a key of its own with every POST that takes one, kept over attempts, and strict handling', async () => {
    const { platen, sent } = clientOf(() => (sent.length === 1 ? new Response('', { status: 502 }) : {}), {
      maxRetries: 1,
    });
    await platen.posts.create({ title: 'Hello', content: 'Ink.' }, { wait: 5 });
    await platen.posts.create({ title: 'Hello', content: 'Ink.' }, { strict: false });
    await platen.posts.get('a b/c');
    const [first, second, third, read] = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(first).toMatch(/^[\da-f]{32}$/);
    expect([second, read]).toEqual([first, null]);
    expect(third).not.toBe(first);
    expect(sent.map(({ headers }) => headers.get('prefer'))).toEqual([
      'handling=strict, wait=5',
      'handling=strict, wait=5',
      null,
      'handling=strict',
    ]);
    expect(sent[0]).toMatchObject({
      method: 'POST',
      path: '/posts',
      body: '{"title":"Hello","content":"Ink."}',
    });
    expect(sent[0]?.headers.get('content-type')).toBe('application/json');
    expect(sent[3]?.path).toBe('/posts/a%20b%2Fc');
  });

  it('nothing again that the server may have carried out, unless that makes no difference', async () => {
    const { platen, sent } = clientOf(() => new Response('', { status: 502 }), { maxRetries: 1 });
    const attempts = async (call: () => Promise<unknown>) => {
      sent.length = 0;
      await expect(call()).rejects.toThrow('502');
      return sent.length;
    };
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(await attempts(() => platen.account.delete())).toBe(1);
    expect(await attempts(() => platen.posts.update('x', { title: 'New' }, { ifMatch: '"v"' }))).toBe(1);
    expect(await attempts(() => platen.posts.update('x', { title: 'New' }))).toBe(2);
    expect(await attempts(() => platen.renderMarkdown({ content: 'x' }))).toBe(2);
    expect(await attempts(() => platen.tokens.create({ name: 'x' }))).toBe(2);
  });

  it('the id of the blog, whose slug is looked up once', async () => {
    const { platen, sent } = clientOf((request) => (request === 'GET /blogs' ? blogs : { data: [] }), {
      blog: 'second',
    });
    await platen.posts.list();
    await platen.posts.list({}, { blog: 'first' });
    await platen.redirects.list();
    await platen.redirects.list({}, { blog: blogs.data[0]?.id });
    expect(sent.map(({ path, headers }) => [path, headers.get('x-blog-id')])).toEqual([
      ['/blogs', null],
      ['/posts', blogs.data[1]?.id],
      ['/posts', blogs.data[0]?.id],
      [`/blogs/${blogs.data[1]?.id}/redirects`, null],
      [`/blogs/${blogs.data[0]?.id}/redirects`, null],
    ]);
  });

  it('the blogs are listed again for a slug that is not among them, and after a change of blogs', async () => {
    const list: { id: string; slug: string }[] = [];
    const { platen, sent } = clientOf((request) => (request.startsWith('GET /blogs') ? { data: list } : {}));
    await expect(platen.blogs.get('new')).rejects.toThrow('no blog with the slug "new"');
    list.push({ id: 'id-of-new', slug: 'new' });
    await platen.blogs.get('new');
    await platen.blogs.update('new', { slug: 'newer' });
    list.splice(0, 1, { id: 'id-of-newer', slug: 'new' });
    await platen.blogs.get('new');
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...['GET /blogs', 'GET /blogs', 'GET /blogs/id-of-new', 'PUT /blogs/id-of-new'],
      ...['GET /blogs', 'GET /blogs/id-of-newer'],
    ]);
  });

  it('an abort ends the wait for the list of blogs, which other calls may still need', async () => {
    const { platen } = clientOf((request) => (request === 'GET /blogs' ? blogs : { data: [] }));
    const controller = new AbortController();
    const aborted = platen.posts.list({}, { blog: 'first', signal: controller.signal }).all();
    const other = platen.posts.list({}, { blog: 'first' }).all();
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    expect(await other).toEqual([]);
  });

  it('a failed list of blogs is not kept', async () => {
    let isDown = true;
    const { platen } = clientOf((request) => {
      if (request !== 'GET /blogs') return { data: [] };
      return isDown ? new Response('', { status: 502 }) : blogs;
    });
    await expect(platen.redirects.list()).rejects.toThrow('502');
    isDown = false;
    expect((await platen.redirects.list()).data).toEqual([]);
  });

  it('a slug that would lead to another path is refused without a request', async () => {
    const { platen, sent } = clientOf(() => ({}));
    for (const slug of ['', '.', '..'])
      await expect(platen.posts.delete(slug)).rejects.toThrow('slug must be text');
    expect(sent).toEqual([]);
  });
});

describe('lists', () => {
  const pages = (total: number) => (request: string) => {
    const query = new URLSearchParams(request.split('?')[1]);
    const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
    const all = Array.from({ length: total }, (_, at) => ({ slug: `post-${at}` }));
    return {
      data: all.slice((page - 1) * perPage, page * perPage),
      pagination: { page, per_page: perPage, total, total_pages: Math.ceil(total / perPage) },
    };
  };

  it('are one page if awaited, and every item of all pages if iterated', async () => {
    const { platen, sent } = clientOf(pages(250));
    const list = platen.posts.list({ tag: 'ink' });
    expect(sent).toEqual([]);
    expect((await list).data).toHaveLength(20);
    const slugs: string[] = [];
    for await (const { slug } of list) slugs.push(slug);
    expect(slugs).toEqual(Array.from({ length: 250 }, (_, at) => `post-${at}`));
    expect(sent.map(({ path }) => path)).toEqual([
      '/posts?tag=ink',
      '/posts?tag=ink&per_page=100&page=1',
      '/posts?tag=ink&per_page=100&page=2',
      '/posts?tag=ink&per_page=100&page=3',
    ]);
  });

  it('begin at the page of the query, and end early if the loop does', async () => {
    const { platen, sent } = clientOf(pages(50));
    for await (const { slug } of platen.posts.list({ page: 2, per_page: 10 })) {
      expect(slug).toBe('post-10');
      break;
    }
    expect(sent).toHaveLength(1);
    expect(await platen.posts.list({ page: 5, per_page: 10 }).all()).toHaveLength(10);
    expect(await clientOf(pages(0)).platen.posts.list().all()).toEqual([]);
  });

  it('reject if a page cannot be had', async () => {
    const { platen } = clientOf(() => new Response('', { status: 502 }));
    await expect(platen.posts.list().all()).rejects.toThrow('502');
    expect(await platen.posts.list().catch(() => 'caught')).toBe('caught');
  });
});

describe('errors', () => {
  it('have what the API says, and no key in any form', async () => {
    const body = {
      error: 'forbidden',
      message: 'the free plan has no schedules',
      docs: 'http://platen.test/docs/accounts/#plans',
      upgrade_url: 'http://platen.test/plans',
    };
    const { platen } = clientOf(() =>
      Response.json(body, { status: 403, headers: { 'X-Request-Id': 'r-1' } }),
    );
    const error = await platen.posts.get('x').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'ForbiddenError',
      code: 'forbidden',
      status: 403,
      message: body.message,
      docs: body.docs,
      upgradeUrl: body.upgrade_url,
      requestId: 'r-1',
      errors: [],
    });
    expect(inspect([error, platen], { depth: 9, showHidden: true })).not.toContain(KEY);
  });

  it.each<[string, Response, RegExp]>([
    [
      'a proxy',
      new Response('<h1>Oops', { status: 502, headers: { 'Content-Type': 'text/html' } }),
      /502 with text\/html in place of JSON: the server is down/,
    ],
    [
      'another server',
      new Response('<h1>Hi', { headers: { 'Content-Type': 'text/html' } }),
      /is url the address of a Platen server\?$/,
    ],
    [
      'a redirect',
      new Response(null, { status: 308, headers: { Location: 'https://platen.test/v1/posts/x?secret' } }),
      /redirected to https:\/\/platen\.test\/v1\/posts\/x: set url/,
    ],
    ['a JSON text', Response.json('hello'), /in place of JSON/],
  ])('say in a sentence what came from %s', async (_name, response, message) => {
    const { platen } = clientOf(() => response);
    const error = await platen.posts.get('x').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlatenError);
    expect(error).toMatchObject({ code: 'unexpected_answer', message: expect.stringMatching(message) });
  });

  it('tell a key and an address apart that cannot be right', async () => {
    const messageFor = (options: PlatenOptions) => {
      try {
        new Platen(options);
        return null;
      } catch (error) {
        return error instanceof PlatenError ? error.message : 'another error';
      }
    };
    expect(messageFor({ apiKey: `${KEY}\n`, url: 'https://platen.test/v1/' })).toBeNull();
    expect(messageFor({ apiKey: `${KEY}\nmore` })).toMatch(/^apiKey has a character that no key has/);
    expect(messageFor({ apiKey: '' })).toBe('apiKey is empty');
    expect(messageFor({ apiKey: KEY, url: 'platen.test' })).toMatch(/^url must begin with http/);
    expect(messageFor({ apiKey: KEY, url: 'https://me:word@platen.test' })).toMatch(
      /^url must have no user name/,
    );
  });

  it('a missing key is said before a request, except where none is needed', async () => {
    vi.stubEnv('PLATEN_API_KEY', '');
    const { platen, sent } = clientOf(() => ({ data: [] }), { apiKey: undefined });
    await expect(platen.posts.get('x')).rejects.toBeInstanceOf(UnauthorizedError);
    await platen.discover({ q: 'ink' });
    expect(sent.map(({ path, headers }) => [path, headers.has('authorization')])).toEqual([
      ['/discover?q=ink', false],
    ]);
  });

  it('key and address come from the environment if the options lack them', async () => {
    vi.stubEnv('PLATEN_API_KEY', 'pk_live_environment');
    vi.stubEnv('PLATEN_API_URL', 'http://platen.test/');
    const { platen, sent } = clientOf(() => ({}), { apiKey: undefined, url: undefined });
    await platen.posts.get('x');
    expect(sent[0]).toMatchObject({ path: '/posts/x' });
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer pk_live_environment');
  });
});

describe('waitUntilLive', () => {
  const rebuildOf = (...states: object[]) => clientOf(() => states.shift() ?? { status: 'queued' });

  it('asks again until the rebuild is live, and not at all if there is none', async () => {
    const { platen, sent } = rebuildOf({ status: 'queued' }, { status: 'building' }, { status: 'live' });
    expect(await platen.waitUntilLive({ rebuild_id: 'r' })).toEqual({ status: 'live' });
    expect(sent.map(({ path }) => path)).toEqual(['/rebuilds/r', '/rebuilds/r', '/rebuilds/r']);
    expect(await platen.waitUntilLive({})).toBeNull();
    expect(sent).toHaveLength(3);
  });

  it('does not ask if the answer said that the write is live', async () => {
    const { platen, sent } = clientOf(() =>
      Response.json({ rebuild_id: 'r' }, { headers: { 'Preference-Applied': 'handling=strict, wait=5' } }),
    );
    expect(await platen.waitUntilLive(await platen.posts.publish('x'))).toBeNull();
    expect(sent).toHaveLength(1);
  });

  it('throws if the rebuild failed, or is not live in time', async () => {
    await expect(
      rebuildOf({ status: 'failed', error: 'no space' }).platen.waitUntilLive({ rebuild_id: 'r' }),
    ).rejects.toMatchObject({ name: 'RebuildFailedError', message: expect.stringContaining('no space') });
    await expect(
      rebuildOf().platen.waitUntilLive({ rebuild_id: 'r' }, { timeout: 300 }),
    ).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'the write is stored, but was not live within 0.3 seconds',
    });
  });

  it('ends with the reason of the signal', async () => {
    const controller = new AbortController();
    const waiting = rebuildOf().platen.waitUntilLive({ rebuild_id: 'r' }, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('uploads', () => {
  it('detect the type of bytes, whatever the file says', async () => {
    const forms: FormData[] = [];
    const { platen } = clientOf((_request, { body }) => {
      if (body instanceof FormData) forms.push(body);
      return {};
    });
    const gif = new TextEncoder().encode('GIF89a and more');
    await platen.images.upload(gif, { filename: 'a.gif' });
    await platen.images.upload(new File([gif], 'b.png', { type: 'image/png' }));
    await platen.images.upload(new TextEncoder().encode('RIFF\n\n\n\nWEBP'));
    const files = forms.map((form) => form.get('file')).filter((file) => file instanceof File);
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      ['a.gif', 'image/gif'],
      ['b.png', 'image/gif'],
      ['image', 'image/webp'],
    ]);
    await expect(platen.images.upload(new TextEncoder().encode('%PDF'))).rejects.toThrow(
      'JPEG, PNG, GIF or WebP',
    );
  });
});
