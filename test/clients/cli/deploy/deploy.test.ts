import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeployFlags, deploy } from '../../../../clients/cli/commands/deploy.ts';
import { ConnectionError, ForbiddenError, Platen, UnauthorizedError } from '../../../../clients/sdk/index.ts';
import type { Scope } from '../../../../server/access/scope.ts';
import type { TierName } from '../../../../server/tiers/tier.ts';
import { startTestPlaten, type TestPlaten } from '../../../support/platen.ts';
import { type Files, folderOf, png, writeFiles } from '../folder/folder-of.ts';

let platen: TestPlaten;
let blogs = 0;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

/** What a request meets: it is lost on the way there, or its answer on the way back. */
type Fault = 'lost' | 'answer lost' | null;

interface Site {
  readonly folder: string;
  readonly blogId: string;
  readonly slug: string;
  /** `METHOD /path` of the requests of the last run. */
  readonly requests: string[];
  /** Decides about each request. */
  fault: (request: string) => Fault;
  /** Called before each request of a run. */
  before: (request: string) => Promise<void>;
  readonly client: Platen;
  /** Runs the command. Throws what it throws. */
  run(flags?: DeployFlags, signal?: AbortSignal): Promise<{ code: number; text: string }>;
  state(): Promise<{
    posts: Record<string, { slug: string }>;
    images: Record<string, string>;
    redirects: object;
  }>;
}

interface SiteOptions {
  readonly tier?: TierName;
  readonly scopes?: readonly Scope[];
}

/** A folder and a blog of its own. */
async function site(files: Files, { tier = 'enterprise', scopes }: SiteOptions = {}): Promise<Site> {
  blogs += 1;
  const slug = `deploy-${blogs}`;
  const { key } = await platen.account({ tier });
  const blogId: string = (await platen.call('POST', '/blogs', { slug, name: slug }, { key })).json.id;
  const token =
    scopes && (await platen.call('POST', '/account/tokens', { name: 'a', scopes }, { key })).json.key;
  const requests: string[] = [];
  const client = new Platen({
    url: platen.origin,
    apiKey: token ?? key,
    maxRetries: 0,
    async fetch(input, init) {
      const request = `${init?.method} ${new URL(String(input)).pathname.replace('/v1', '')}`;
      requests.push(request);
      await made.before(request);
      const fault = made.fault(request);
      if (fault === 'lost') throw new TypeError('fetch failed');
      const answer = await fetch(input, init);
      await answer.clone().arrayBuffer();
      if (fault === 'answer lost') throw new TypeError('fetch failed');
      return answer;
    },
  });
  const folder = await folderOf(files);
  const made: Site = {
    folder,
    blogId,
    slug,
    requests,
    fault: () => null,
    before: async () => {},
    client: client.withBlog(blogId),
    async run(flags = {}, signal) {
      requests.length = 0;
      let text = '';
      const print = (more: string) => {
        text += more;
      };
      const context = { platen: client, cwd: folder, print, tell: print, colours: false, signal };
      const code = await deploy(context, '.', { blog: blogId, ...flags });
      return { code, text };
    },
    state: async () => JSON.parse(await readFile(join(folder, '.platen', `${blogId}.json`), 'utf8')),
  };
  return made;
}

const posts = async ({ client }: Site) => {
  const all = await client.posts.list({ order: 'asc' }).all();
  return Promise.all(all.map(({ slug }) => client.posts.get(slug)));
};
const slugs = async (one: Site) => (await posts(one)).map(({ slug }) => slug).sort();
const many = (count: number): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}.md`, `# Post ${n}\n\nText ${n}.\n`]));

describe('a deploy', () => {
  it('sends everything once, and then only asks for the list', async () => {
    const one = await site({
      'a.md':
        '---\ntitle: Ink\ndescription: On ink.\ntags: [ink]\ndate: 2020-02-03\nseries: S\nfeatured: true\nlang: de\n---\nSee [b](b.md).',
      'b.md': '# Paper\n\nMore',
      'about.md': '---\ntitle: About\npage: true\n---\nText',
      'later.md': '---\ntitle: Later\ndraft: true\n---\nText',
    });
    const first = await one.run();
    expect(first).toMatchObject({
      code: 0,
      text: expect.stringContaining('4 created, 0 updated, 0 deleted, 0 unchanged, 0 failed'),
    });
    expect(one.requests.filter((request) => request.startsWith('POST'))).toEqual(['POST /posts:batch']);
    const [about, ink, later] = (await posts(one)).sort((a, b) => a.title.localeCompare(b.title));
    expect(ink).toMatchObject({
      ...{
        slug: 'a',
        content_md: 'See [b](/b/).',
        meta_description: 'On ink.',
        tags: ['ink'],
        featured: true,
        language: 'de',
      },
      ...{ published_at: '2020-02-03T00:00:00.000Z', series: { name: 'S', part: 1 }, status: 'published' },
    });
    expect([about?.type, later?.status]).toEqual(['page', 'draft']);
    expect((await platen.read(one.slug, '/a/')).status).toBe(200);

    const second = await one.run();
    expect(second).toMatchObject({ code: 0, text: expect.stringContaining('4 unchanged') });
    expect(one.requests).toEqual(['GET /posts']);
  });

  it('without its state adopts what is there and equal, and duplicates nothing', async () => {
    const one = await site({
      'a.md': '# A\n\n![i](i.png)',
      'b.md': '---\ncover: i.png\n---\n# B\n\nText',
      'i.png': png(),
    });
    await one.run();
    const before = await one.state();
    await rm(join(one.folder, '.platen'), { recursive: true });
    expect(await one.run()).toMatchObject({ code: 0, text: expect.stringContaining('2 unchanged') });
    expect(one.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
    expect((await one.state()).images).toEqual(before.images);
  });

  it('as a dry run says what it would do, and does nothing', async () => {
    const one = await site({ 'a.md': '# A\n\nText', 'bad.md': '---\ndate: soon\n---\n' });
    const { code, text } = await one.run({ dryRun: true });
    expect(code).toBe(1);
    expect(text).toContain('+ create    a.md  /a/  new');
    expect(text).toContain('bad.md:2: `date` must be a date');
    expect(one.requests.every((request) => request.startsWith('GET'))).toBe(true);
    expect(await readdir(one.folder)).not.toContain('.platen');
    expect(JSON.parse((await one.run({ dryRun: true, json: true })).text)).toMatchObject({
      actions: [{ action: 'create', file: 'a.md', slug: 'a', why: 'new' }],
      errors: [{ file: 'bad.md', line: 2 }],
    });
  });

  it('never overwrites what was changed in Platen, unless told to', async () => {
    const one = await site({ 'a.md': '# A\n\nText', 'b.md': '# B\n\nText' });
    await one.run();
    await one.client.posts.update('a', { title: 'By hand' });
    await writeFiles(one.folder, { 'a.md': '# From the file\n\nText', 'b.md': '# B2\n\nText' });
    const { code, text } = await one.run();
    expect(code).toBe(5);
    expect(text).toContain('! conflict  a.md  /a/  changed in Platen since the last deploy; left alone');
    expect((await posts(one)).map(({ title }) => title).sort()).toEqual(['B2', 'By hand']);
    expect((await one.run({ overwrite: true })).code).toBe(0);
    expect((await posts(one)).map(({ title }) => title).sort()).toEqual(['B2', 'From the file']);
    expect(await one.run()).toMatchObject({ code: 0, text: expect.stringContaining('2 unchanged') });
  });

  it('does not overwrite what is changed while it runs', async () => {
    const one = await site({ 'a.md': '# A\n\nText' });
    await one.run();
    await writeFiles(one.folder, { 'a.md': '# A2\n\nText' });
    await one.run();
    await writeFiles(one.folder, { 'a.md': '# A3\n\nText' });
    // After the plan, which asks for the list, and before the update, which the state's version makes conditional.
    one.before = async (request) => {
      if (!request.startsWith('PUT')) return;
      one.before = async () => {};
      await one.client.posts.update('a', { title: 'By hand' });
    };
    const { code, text } = await one.run();
    expect([code, text]).toEqual([
      1,
      expect.stringContaining('a.md: changed in Platen since the last deploy: --overwrite'),
    ]);
    expect(await posts(one)).toMatchObject([{ title: 'By hand' }]);
  });

  it('leaves a post alone that somebody made with the same slug', async () => {
    const one = await site({ 'a.md': '# A\n\nText' });
    await one.client.posts.create({ slug: 'a', title: 'By hand', content: 'x' });
    expect(await one.run()).toMatchObject({
      code: 5,
      text: expect.stringContaining('is not from this folder'),
    });
    expect((await one.run({ overwrite: true })).code).toBe(0);
    expect(await posts(one)).toMatchObject([{ title: 'A', status: 'published' }]);
  });

  it('deletes only posts of its own, and only if asked to', async () => {
    const one = await site({ 'a.md': '# A\n\nText', 'b.md': '# B\n\nText' });
    await one.run();
    await one.client.posts.create({ slug: 'by-hand', title: 'By hand', content: 'x' });
    await rm(join(one.folder, 'a.md'));
    expect((await one.run()).text).toContain(
      '? missing   a.md  /a/  the file is gone; --delete-missing deletes the post',
    );
    expect(await slugs(one)).toEqual(['a', 'b', 'by-hand']);
    expect((await one.run({ deleteMissing: true })).text).toContain('1 deleted');
    expect(await slugs(one)).toEqual(['b', 'by-hand']);
    await one.run({ deleteMissing: true });
    expect(one.requests).toEqual(['GET /posts']);
  });

  it('follows a renamed file and a new slug, and the old address redirects', async () => {
    const one = await site({ 'a.md': '# A\n\nText', 'b.md': '---\nslug: b\n---\n# B\n\nText' });
    await one.run();
    await rename(join(one.folder, 'a.md'), join(one.folder, 'c.md'));
    await rm(join(one.folder, 'b.md'));
    await writeFiles(one.folder, { 'new/b.md': '---\nslug: b\n---\n# B2\n\nText' });
    expect((await one.run()).text).toContain('0 created, 2 updated, 0 deleted');
    expect(await slugs(one)).toEqual(['b', 'c']);
    expect(Object.keys((await one.state()).posts)).toEqual(['c.md', 'new/b.md']);
    expect((await platen.read(one.slug, '/a/')).headers.get('location')).toContain('/c/');
  });

  it('knows a renamed file although its post was changed in Platen', async () => {
    const one = await site({ 'a.md': '---\nslug: a\n---\n# A\n\nText' });
    await one.run();
    await one.client.posts.update('a', { title: 'By hand' });
    await rename(join(one.folder, 'a.md'), join(one.folder, 'b.md'));
    for (const run of ['first', 'second']) {
      expect([run, (await one.run()).text]).toEqual([
        run,
        expect.stringContaining('changed in Platen since the last deploy'),
      ]);
    }
    expect(Object.keys((await one.state()).posts)).toEqual(['b.md']);
  });

  it('brings posts to the status of their files, in both directions', async () => {
    const draft = '---\ndraft: true\n---\n';
    const one = await site({ 'a.md': `${draft}# A\n\nText`, 'b.md': '# B\n\nText', 'c.md': '# C\n\nText' });
    await one.run();
    await writeFiles(one.folder, {
      'a.md': '---\ndate: 2020-01-01\n---\n# A\n\nText',
      'b.md': `${draft}# B\n\nText`,
      'c.md': '---\ndate: 2099-01-01\n---\n# C\n\nText',
    });
    expect((await one.run()).text).toContain('3 updated');
    expect(
      (await posts(one))
        .map((post) => [post.title, post.status, post.published_at ?? post.scheduled_at])
        .sort(),
    ).toEqual([
      ['A', 'published', '2020-01-01T00:00:00.000Z'],
      ['B', 'draft', null],
      ['C', 'scheduled', '2099-01-01T00:00:00.000Z'],
    ]);
    await writeFiles(one.folder, { 'a.md': '---\ndate: 2021-01-01\n---\n# A\n\nText' });
    await one.run();
    expect(await one.client.posts.get('a')).toMatchObject({ published_at: '2021-01-01T00:00:00.000Z' });
    await one.run();
    expect(one.requests).toEqual(['GET /posts']);
  });

  it('removes from a post what its file does not say any more', async () => {
    const one = await site({
      'a.md':
        '---\ntitle: A\ntags: [x]\ndescription: D\ncanonical: https://e.example/\nunlisted: true\nauthor: Ada\n---\nText',
    });
    await one.run();
    await writeFiles(one.folder, { 'a.md': '---\ntitle: A\n---\nText' });
    expect((await one.run()).text).toContain('tags, description, canonical address, author, unlisted');
    expect(await one.client.posts.get('a')).toMatchObject({
      ...{ tags: [], meta_description: 'Text', canonical_url: null, unlisted: false, author: null },
    });
  });
});

describe('images of a folder', () => {
  it('are uploaded once, by their bytes, and posts name their addresses', async () => {
    const one = await site({
      'a.md': '![one](i.png) ![two](sub/same.png)',
      'sub/b.md': '---\nimage: same.png\n---\n# B\n\n<img src="../i.png">',
      'i.png': png(),
      'sub/same.png': png(),
    });
    await one.run();
    expect(one.requests.filter((request) => request === 'POST /upload')).toHaveLength(1);
    const [address = ''] = Object.values((await one.state()).images);
    expect(await one.client.posts.get('a')).toMatchObject({
      content_md: `![one](${address}) ![two](${address})`,
    });
    expect(await one.client.posts.get('b')).toMatchObject({ cover_image: { url: address } });
    await writeFiles(one.folder, { 'a.md': '![one](i.png) again' });
    await one.run();
    expect(one.requests).not.toContain('POST /upload');
  });

  it('that the server refuses are named, and keep no post away', async () => {
    const broken = Buffer.from(png()).fill(0, 20);
    const one = await site({ 'a.md': '# A\n\n![x](x.png)', 'x.png': broken });
    const { code, text } = await one.run();
    expect([code, await slugs(one)]).toEqual([0, ['a']]);
    expect(text).toContain('x.png: the image was refused, and is missing');
  });
});

describe('redirects and settings of a folder', () => {
  it('are set once; one that is refused is named, and keeps no other away', async () => {
    const one = await site({
      'a.md': '---\naliases: [/2019/a.html, old/a, /a/, /tags/x/]\n---\n# A\n\nText',
      'platen.yaml': 'redirects:\n  /about.php: https://example.org/about\n',
    });
    const { code, text } = await one.run();
    expect(code).toBe(0);
    expect(text).toContain('3 redirects');
    expect(text).toMatch(/a\.md: \/tags\/x\/ does not redirect to it: /);
    expect((await one.client.redirects.list().all()).map(({ from, to }) => `${from} ${to}`).sort()).toEqual([
      '/2019/a.html /a/',
      '/about.php https://example.org/about',
      '/old/a/ /a/',
    ]);
    await writeFiles(one.folder, { 'a.md': '---\naliases: [/old/a]\n---\n# A\n\nText' });
    await one.run({ deleteMissing: true });
    expect((await one.client.redirects.list().all()).map(({ from }) => from).sort()).toEqual([
      '/about.php',
      '/old/a/',
    ]);
  });

  it('are sent when they change, and never over a change in Platen', async () => {
    const one = await site({
      'a.md': '# A\n\nText',
      'platen.yaml': 'name: Ink\nsettings:\n  accent_color: "#0a7ea4"\n  icon: icon.png\n',
      'icon.png': png(),
    });
    expect((await one.run()).text).toContain('~ settings  platen.yaml');
    const [icon] = Object.values((await one.state()).images);
    expect(await one.client.blogs.get(one.blogId)).toMatchObject({
      name: 'Ink',
      settings: { accent_color: '#0a7ea4', icon },
    });
    await one.run();
    expect(one.requests).toEqual(['GET /posts']);
    await one.client.blogs.update(one.blogId, { name: 'By hand' });
    await writeFiles(one.folder, { 'platen.yaml': 'name: Paper\n' });
    expect(await one.run()).toMatchObject({
      code: 1,
      text: expect.stringContaining('the settings were changed in Platen'),
    });
    expect((await one.run({ overwrite: true })).code).toBe(0);
    expect(await one.client.blogs.get(one.blogId)).toMatchObject({ name: 'Paper' });
  });

  it.each([
    ['name: [', /^platen\.yaml:\d: is not valid YAML/],
    ['name: Ink\nnmae: Ink\n', /^platen\.yaml:2: `nmae` is not a setting of a blog$/],
    ['redirects: 5\n', /^platen\.yaml:1: `redirects` must be a list/],
  ])('that are wrong are named with their line before anything is sent: %j', async (text, reason) => {
    const one = await site({ 'a.md': '# A\n\nText', 'platen.yaml': text });
    await expect(one.run()).rejects.toThrow(reason);
    expect(await slugs(one)).toEqual([]);
  });
});

describe('after a failure in the middle', () => {
  it('a second deploy goes on, although answers were lost', async () => {
    const one = await site(many(60));
    let batches = 0;
    one.fault = (request) => {
      if (request === 'POST /posts:batch') batches += 1;
      return batches >= 2 ? 'answer lost' : null;
    };
    let kept = 0;
    // What a run that is killed now would leave.
    one.before = async () => {
      if (batches === 1) kept = Object.keys((await one.state()).posts).length;
    };
    await expect(one.run({ concurrency: 1 })).rejects.toThrow(ConnectionError);
    expect(kept).toBe(25);
    expect(Object.keys((await one.state()).posts)).toHaveLength(25);
    one.fault = () => null;
    expect(await one.run()).toMatchObject({
      code: 0,
      text: expect.stringContaining('10 created, 0 updated, 0 deleted, 50 unchanged'),
    });
    expect(await slugs(one)).toHaveLength(60);
    await one.run();
    expect(one.requests).toEqual(['GET /posts']);
  });

  it('an update whose answer was lost is not taken for somebody else’s', async () => {
    const one = await site({ 'a.md': '# A\n\nText' });
    await one.run();
    await writeFiles(one.folder, { 'a.md': '# A2\n\nText' });
    let lost = 0;
    one.fault = (request) => (request.startsWith('PUT') && lost++ === 0 ? 'answer lost' : null);
    expect(await one.run()).toMatchObject({ code: 0, text: expect.stringContaining('1 updated') });
    await writeFiles(one.folder, { 'a.md': '# A3\n\nText' });
    one.fault = (request) => (request.startsWith('PUT') ? 'answer lost' : null);
    await one.run().catch(() => {});
    one.fault = () => null;
    expect((await one.run()).code).toBe(0);
    expect(await posts(one)).toMatchObject([{ title: 'A3' }]);
  });

  it('such as Ctrl-C, nothing is lost or doubled', async () => {
    const one = await site(many(60));
    const controller = new AbortController();
    one.fault = (request) => {
      if (request === 'POST /posts:batch') setTimeout(() => controller.abort(new Error('interrupted')), 30);
      return null;
    };
    await expect(one.run({ concurrency: 1 }, controller.signal)).rejects.toThrow('interrupted');
    one.fault = () => null;
    expect((await one.run()).code).toBe(0);
    expect(await slugs(one)).toHaveLength(60);
  });

  it('a file that cannot be read is not one that is gone', async () => {
    const one = await site({ 'a.md': '# A\n\nText', 'b.md': '# B\n\nText' });
    await one.run();
    await writeFiles(one.folder, { 'a.md': '---\ntitle: a: b\n---\n' });
    expect((await one.run({ deleteMissing: true })).code).toBe(1);
    expect(await slugs(one)).toEqual(['a', 'b']);
    await writeFiles(one.folder, { 'a.md': '# A\n\nText' });
    await one.run();
    expect(one.requests).toEqual(['GET /posts']);
  });
});

describe('what stops a deploy', () => {
  it('is said once: no server, a wrong key, a key without the scope', async () => {
    const one = await site({ 'a.md': '# A\n\nText', 'b.md': '# B\n\nText' });
    one.fault = () => 'lost';
    await expect(one.run()).rejects.toThrow(ConnectionError);
    const run = (apiKey: string) =>
      deploy(
        {
          platen: new Platen({ url: platen.origin, apiKey }),
          cwd: one.folder,
          print() {},
          tell() {},
          colours: false,
        },
        '.',
        { blog: one.blogId },
      );
    await expect(run(`pk_live_${'0'.repeat(48)}`)).rejects.toThrow(UnauthorizedError);
    const narrow = await site(many(5), { scopes: ['posts:read'] });
    await expect(narrow.run()).rejects.toThrow(ForbiddenError);
    await expect(narrow.run({ blog: undefined })).rejects.toThrow('blogs:read');
    expect(await slugs(narrow)).toEqual([]);
  });

  it('is the quota of the plan, and what fitted into it is there', async () => {
    const one = await site(many(14), { tier: 'free' });
    await expect(one.run({ concurrency: 1 })).rejects.toThrow(ForbiddenError);
    expect(Object.keys((await one.state()).posts)).toHaveLength(10);
    await rm(join(one.folder, 'p3.md'));
    expect(await one.run({ deleteMissing: true }).catch((error) => error)).toBeInstanceOf(ForbiddenError);
  });

  it('is not a post that the server refuses: the others are sent', async () => {
    const one = await site({
      'tags.md': '# Tags\n\nText',
      'b.md': '# B\n\nText',
      'c.md': '---\nslug: archive\n---\n# C\n\nText',
    });
    const { code, text } = await one.run();
    expect(code).toBe(1);
    expect(text).toMatch(/tags\.md: the slug "tags" is taken by the blog's own pages/);
    expect(await slugs(one)).toEqual(['b']);
  });

  it('is a folder that cannot keep the state, before anything is sent', async () => {
    const one = await site({ 'a.md': '# A\n\nText', '.platen': 'a file' });
    await expect(one.run()).rejects.toThrow(/\.platen.* cannot be read \(ENOTDIR\)/);
    const other = await site({ 'a.md': '# A\n\nText' });
    await writeFiles(other.folder, { [`.platen/${other.blogId}.json.${process.pid}.tmp/x`]: '' });
    await expect(other.run()).rejects.toThrow('which keeps what was sent, cannot be written (EISDIR)');
    expect(await slugs(other)).toEqual([]);
  });

  it('is a state that is not one', async () => {
    const one = await site({ 'a.md': '# A\n\nText' });
    await writeFiles(one.folder, { [`.platen/${one.blogId}.json`]: '{"version": 9}' });
    await expect(one.run()).rejects.toThrow('is not the state of a deploy that this version of Platen knows');
  });
});
