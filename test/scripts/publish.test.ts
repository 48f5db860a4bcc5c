import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiUnusableError } from '../../scripts/publish/api-client.ts';
import { type PublishProgress, publishFolder } from '../../scripts/publish/publish.ts';
import { describeSummary, progressDisplay } from '../../scripts/publish/report.ts';
import { FakeService, KEY } from './fake-service.ts';

let service: FakeService;
let api: string;
let folder: string;
let naps: number[];
beforeEach(async () => {
  service = new FakeService();
  api = await service.listen();
  folder = await mkdtemp(join(tmpdir(), 'platen-publish-'));
  naps = [];
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

const publish = (more: Partial<Parameters<typeof publishFolder>[0]> = {}) =>
  publishFolder({
    folder,
    api,
    key: KEY,
    onProgress: () => {},
    sleep: async (milliseconds) => {
      naps.push(milliseconds);
    },
    ...more,
  });

describe('publishing a folder', () => {
  it('every file becomes a published post with the fields of its front matter', async () => {
    await write({
      'a.md': '---\ntitle: Ink\ndescription: On ink.\ntags: [ink]\n---\nText',
      'b/c.md': '# Paper\n\nMore',
    });
    const summary = await publish({ concurrency: 1, blogId: 'blog-1' });
    expect(service.calls.filter(({ route }) => route === 'POST /v1/posts')).toEqual([
      {
        route: 'POST /v1/posts',
        blog: 'blog-1',
        body: {
          title: 'Ink',
          content: 'Text',
          slug: 'a',
          tags: ['ink'],
          meta: { description: 'On ink.' },
          status: 'published',
        },
      },
      {
        route: 'POST /v1/posts',
        blog: 'blog-1',
        body: { title: 'Paper', content: '\nMore', slug: 'c', tags: [], status: 'published' },
      },
    ]);
    expect(summary).toMatchObject({ published: 2, updated: 0, failed: [], notes: [] });
    expect(summary.urls).toEqual(['http://blog.example/a/', 'http://blog.example/c/']);
  });

  it('the former addresses in its front matter redirect to the post', async () => {
    await write({
      'a.md': '---\naliases: [/2019/03/a.html, old/a, /a/]\n---\nText',
      'b.md': '---\nredirect_from: /taken\n---\nText',
      'c.md': 'Text',
    });
    service.behaviour = ({ route, body }) => {
      if (route === 'GET /v1/blogs') return [200, { data: [{ id: 'blog-1' }] }];
      if (route !== 'POST /v1/blogs/blog-1/redirects') return undefined;
      return body.from === '/taken' ? service.error(409, 'conflict', 'Taken.') : [200, { rebuild_id: 'r2' }];
    };
    const summary = await publish();
    expect(service.calls.flatMap(({ route, body }) => (route.endsWith('/redirects') ? [body] : []))).toEqual([
      { from: '/2019/03/a.html', to: '/a/' },
      { from: '/old/a', to: '/a/' },
      { from: '/taken', to: '/b/' },
    ]);
    expect(summary).toMatchObject({ published: 3, failed: [] });
    expect(summary.notes).toEqual([{ file: 'b.md', message: '/taken does not redirect to it: Taken.' }]);
    expect(service.count('GET /v1/rebuilds/r2')).toBe(1);
  });

  it.each([
    ['a.md', '---\ndate: 2015-05-11\n---\n', '2015-05-11T00:00:00.000Z'],
    ['a.md', '---\ndate: 2015-05-11T10:20:30+02:00\n---\n', '2015-05-11T08:20:30.000Z'],
    ['a.md', '---\ndate: 2015-05-11 10:20 +0200\n---\n', '2015-05-11T08:20:00.000Z'],
    ['a.md', '+++\ndate = 2015-05-11\n+++\n', '2015-05-11T00:00:00.000Z'],
    ['a.md', '+++\ndate = 2015-05-11T10:20:30Z\n+++\n', '2015-05-11T10:20:30.000Z'],
    ['2015-05-11-a.md', '', '2015-05-11T00:00:00.000Z'],
    ['2015-05-11-a.md', '---\ndate: 2016-01-02\n---\n', '2016-01-02T00:00:00.000Z'],
  ])('a post keeps its date: %s, %j', async (file, frontMatter, expected) => {
    await write({ [file]: `${frontMatter}Text` });
    expect(await publish()).toMatchObject({ failed: [], notes: [] });
    expect([...service.posts.values()]).toMatchObject([{ published_at: expected }]);
  });

  it.each(['last week', '2015-02-30', '2015-13-01'])(
    'a date that is not understood is reported: %s',
    async (date) => {
      await write({ 'a.md': `---\ndate: ${date}\n---\nText` });
      const { notes } = await publish();
      expect(notes).toEqual([{ file: 'a.md', message: `the date is not understood: ${date}` }]);
      expect(service.posts.get('a')).not.toHaveProperty('published_at');
    },
  );

  it('a post that was published without its date gets it with the next run', async () => {
    await write({ 'a.md': 'Text' });
    await publish();
    await write({ 'a.md': '---\ndate: 2015-05-11\n---\nText' });
    expect(await publish()).toMatchObject({ updated: 1, failed: [] });
    expect(service.posts.get('a')).toMatchObject({ published_at: '2015-05-11T00:00:00.000Z' });
  });

  it('translations are sent only if the file lists some', async () => {
    await write({ 'a.md': '---\ntranslations: {ja: nihongo}\n---\nText', 'b.md': 'Text' });
    await publish();
    expect(service.posts.get('a')).toMatchObject({ translations: { ja: 'nihongo' } });
    expect(service.posts.get('b')).not.toHaveProperty('translations');
    await write({ 'a.md': '---\ntranslations: {}\n---\nText' });
    await publish();
    expect(service.posts.get('a')).toMatchObject({ translations: {} });
    expect(service.calls.find(({ route }) => route === 'PUT /v1/posts/b')?.body).not.toHaveProperty(
      'translations',
    );
  });

  it('a second run updates the same posts', async () => {
    await write({ 'a.md': 'One', 'b.md': 'Two' });
    await publish();
    await write({ 'b.md': 'Two, revised' });
    expect(await publish()).toMatchObject({ published: 0, updated: 2, failed: [] });
    expect(service.posts.size).toBe(2);
    expect(service.posts.get('b')).toMatchObject({ content: 'Two, revised', status: 'published' });
    expect(service.count('POST /v1/posts/b/publish')).toBe(0);
  });

  it('an existing draft with the slug is published', async () => {
    await write({ 'a.md': 'One' });
    service.posts.set('a', { slug: 'a', status: 'draft' });
    expect(await publish()).toMatchObject({ updated: 1, urls: ['http://blog.example/a/'] });
    expect(service.posts.get('a')).toMatchObject({ content: 'One', status: 'published' });
  });

  it('an error says why a slug is taken although no post has it', async () => {
    await write({ 'tags.md': 'One' });
    service.behaviour = ({ route }) =>
      route === 'POST /v1/posts'
        ? service.error(409, 'conflict', 'The blog needs tags for itself.')
        : undefined;
    expect((await publish()).failed).toEqual([
      { file: 'tags.md', message: 'The blog needs tags for itself.' },
    ]);
  });

  it('publishing continues after a refusal and a server error, and reports the files with reasons', async () => {
    await write({ 'a.md': 'One', 'b.md': 'Two', 'c.md': 'Three', 'd.md': '---\ntitle: a: b\n---\n' });
    service.behaviour = ({ body }) => {
      if (body.slug === 'a') return service.error(400, 'bad_request', 'content is too large');
      return body.slug === 'b' ? [500, '<h1>Oops</h1>'] : undefined;
    };
    const summary = await publish();
    expect(summary.published).toBe(1);
    expect(summary.failed).toEqual([
      { file: 'd.md', message: expect.stringContaining('not valid YAML') },
      { file: 'a.md', message: 'content is too large' },
      { file: 'b.md', message: '500 Internal Server Error' },
    ]);
    expect(service.count('POST /v1/posts')).toBe(3);
    expect(describeSummary(summary)).toContain('\n  a.md: content is too large');
  });

  it('a 429 pauses all requests once for the requested time, and no post is lost', async () => {
    await write({ 'a.md': 'One', 'b.md': 'Two', 'c.md': 'Three' });
    service.behaviour = ({ route }, before) =>
      route === 'POST /v1/posts' && before < 3
        ? [429, { error: 'rate_limit_exceeded', message: 'Slow down.', retry_after: 7 }]
        : undefined;
    const pauses: number[] = [];
    const summary = await publish({
      onPause: (seconds) => pauses.push(seconds),
      sleep: async (milliseconds) => {
        naps.push(milliseconds);
        // All three requests have been refused and have read the response.
        while (service.count('POST /v1/posts') < 3) await delay(1);
        for (let turn = 0; turn < 20; turn += 1) await delay(5);
      },
    });
    expect(summary).toMatchObject({ published: 3, failed: [] });
    expect([pauses, naps]).toEqual([[7], [7000]]);
    expect(service.count('POST /v1/posts')).toBe(6);
  });

  it('a post is retried after a broken connection and after a 503 from a proxy', async () => {
    await write({ 'a.md': 'One' });
    service.behaviour = ({ route }, before) => {
      if (route !== 'POST /v1/posts' || before > 1) return undefined;
      return before === 0 ? 'hang up' : [503, 'starting'];
    };
    expect(await publish()).toMatchObject({ published: 1, failed: [] });
    expect(service.count('POST /v1/posts')).toBe(3);
  });

  it('a post that always breaks the connection fails alone', async () => {
    await write({ 'a.md': 'One', 'b.md': 'Two' });
    service.behaviour = ({ body }) => (body.slug === 'a' ? 'hang up' : undefined);
    const { published, failed } = await publish();
    expect(published).toBe(1);
    expect(failed).toEqual([{ file: 'a.md', message: expect.stringContaining('cannot reach') }]);
  });

  it('publishing stops if the service goes away, instead of trying every file', async () => {
    await write(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`p${n}.md`, 'Text'])));
    service.behaviour = () => (service.calls.length > 10 ? 'hang up' : undefined);
    await expect(publish({ concurrency: 2 })).rejects.toThrow(ApiUnusableError);
    expect(service.posts.size).toBe(9);
    expect(service.count('POST /v1/posts')).toBeLessThan(9 + 2 * 4 + 1);
  });

  it('an unreachable server is reported before any post is sent', async () => {
    await write({ 'a.md': 'One' });
    await service.close();
    await expect(publish()).rejects.toThrow(`cannot reach ${api}/v1: ECONNREFUSED`);
  });

  it('says that the key was rejected, without sending a post', async () => {
    await write({ 'a.md': 'One' });
    await expect(publish({ key: 'pk_live_wrong' })).rejects.toThrow('the key was rejected: Unknown key.');
    expect(service.count('POST /v1/posts')).toBe(0);
  });

  it('a server that is not Platen is reported', async () => {
    await write({ 'a.md': 'One' });
    service.behaviour = () => [404, '<html>'];
    await expect(publish()).rejects.toThrow('unexpected response of the service: 404 Not Found');
  });

  it('the address works with and without /v1, and the key may be limited to writing', async () => {
    await write({ 'a.md': 'One' });
    service.behaviour = ({ route }) =>
      route.startsWith('GET /v1/posts') ? service.error(403, 'forbidden', 'posts:read is needed') : undefined;
    expect(await publish({ api: `${api}/v1/` })).toMatchObject({ published: 1 });
  });
});

describe('waiting for posts to go live', () => {
  it('the script waits until every rebuild is live', async () => {
    await write({ 'a.md': 'One', 'b.md': 'Two' });
    service.behaviour = ({ route }, before) =>
      route === 'GET /v1/rebuilds/r1' && before < 3
        ? [200, { id: 'r1', status: before === 0 ? 'queued' : 'building' }]
        : undefined;
    expect(await publish()).toMatchObject({ published: 2, failed: [] });
    expect(service.count('GET /v1/rebuilds/r1')).toBe(4);
    expect(naps).toEqual([100, 200, 400]);
  });

  it('posts whose rebuild failed are not counted as published', async () => {
    await write({ 'a.md': 'One' });
    service.behaviour = ({ route }) =>
      route.includes('rebuilds') ? [200, { status: 'failed', error: 'the disk is full' }] : undefined;
    expect(await publish()).toMatchObject({
      published: 0,
      urls: [],
      failed: [{ file: 'a.md', message: 'saved, but not live: the disk is full' }],
    });
  });

  it('a note says that the key may not read rebuilds, and the posts count as published', async () => {
    await write({ 'a.md': 'One' });
    service.behaviour = ({ route }) =>
      route.includes('rebuilds') ? service.error(403, 'forbidden', 'posts:read is needed') : undefined;
    expect(await publish()).toMatchObject({
      published: 1,
      notes: [{ message: expect.stringContaining('read') }],
    });
  });

  it('the script stops waiting for a rebuild after ten minutes', async () => {
    await write({ 'a.md': 'One' });
    service.behaviour = ({ route }) => (route.includes('rebuilds') ? [200, { status: 'queued' }] : undefined);
    expect((await publish()).failed).toHaveLength(1);
    const waited = naps.reduce((sum, nap) => sum + nap, 0);
    expect(waited).toBeGreaterThan(590_000);
    expect(waited).toBeLessThan(610_000);
  });
});

/** A stream that keeps everything written to it. */
function collector(): { stream: Writable; lines: string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { stream, lines };
}

describe('progress of a publish', () => {
  it('progress is reported after every post, then after every rebuild', async () => {
    await write({ 'a.md': 'One', 'b.md': 'Two' });
    const steps: PublishProgress[] = [];
    await publish({ onProgress: (progress) => steps.push(progress) });
    expect(steps).toEqual([
      { step: 'publishing', done: 1, total: 2 },
      { step: 'publishing', done: 2, total: 2 },
      { step: 'going live', done: 1, total: 1 },
    ]);
  });

  it('progress on a terminal is a bar that is cleared at the end', () => {
    const { stream, lines } = collector();
    const { onProgress, stop } = progressDisplay(Object.assign(stream, { isTTY: true, columns: 80 }));
    onProgress({ step: 'publishing', done: 1, total: 2 });
    onProgress({ step: 'publishing', done: 2, total: 2 });
    onProgress({ step: 'going live', done: 1, total: 3 });
    stop();
    expect(lines.join('')).toMatch(/publishing \[=+\] 2\/2 .*going live \[=+-+\] 1\/3 /s);
    const wrapsLinesAgain = '\u001b[?7h';
    expect(lines.slice(-3).join('')).toContain(wrapsLinesAgain);
  });

  it('progress without a terminal is a line for each tenth', () => {
    const { stream, lines } = collector();
    const { onProgress } = progressDisplay(stream);
    for (let done = 1; done <= 205; done++) onProgress({ step: 'publishing', done, total: 205 });
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('publishing: 10 % (21 of 205)\n');
    expect(lines[9]).toBe('publishing: 100 % (205 of 205)\n');
  });
});
