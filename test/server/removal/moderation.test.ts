// Slow: starts a server, runs commands beside it, and waits for rebuilds and index builds.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOn } from '../../support/admin.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { picture } from '../../support/pictures.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { readEdge } from '../../support/site-builder.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

const REASON = 'Phishing: reported on 2026-11-20.';

/** JSON output of a command beside the running server. */
async function admin(...args: string[]) {
  const { code, out, err } = await adminOn(platen)(...args, '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

/** A blog of a new account with published posts, on the edge with its search index. */
async function blogWith(...titles: string[]) {
  const { key, accountId } = await platen.account({ tier: 'scale' });
  const call = (method: string, path: string, body?: unknown) =>
    platen.call(method, path, body, { key, headers: { Prefer: 'wait=60' } });
  const slug = `b-${uuid()}`;
  const { json: blog } = await call('POST', '/blogs', { slug, name: 'B' });
  const posts = [];
  for (const title of titles) {
    posts.push((await call('POST', '/posts', { title, content: 'Ink.', status: 'published' })).json);
  }
  return {
    id: blog.id,
    accountId,
    slug,
    posts,
    call,
    status: async (path: string) => (await platen.read(slug, path)).status,
    files: () => [...readEdge(join(platen.dataDir, 'edge'), slug).keys()],
    takeDown: () => admin('blog', 'take-down', '--slug', slug, '--reason', REASON),
    restore: () => admin('blog', 'restore', '--slug', slug),
    takeDownPost: (post: string) =>
      admin('post', 'take-down', '--blog', slug, '--slug', post, '--reason', REASON),
    restorePost: (post: string) => admin('post', 'restore', '--blog', slug, '--slug', post),
  };
}

const discovered = async (word: string): Promise<string[]> =>
  (await platen.call('GET', `/discover?q=${word}`)).json.data.map(({ slug }: { slug: string }) => slug);

describe('a blog that is taken down', () => {
  it('a taken-down blog leaves the edge within seconds, and is restored as it was', async () => {
    const blog = await blogWith('Quoin one', 'Quoin two');
    const hurried = platen.services.db.updateTable('search_indexes').set({ due_at: '' });
    await hurried.where('blog_id', '=', blog.id).execute();
    await expect.poll(() => blog.files().some((path) => path.startsWith('pagefind/')), wait).toBe(true);
    await expect.poll(() => blog.status('/quoin-one/')).toBe(200);
    const before = blog.files();
    expect(await discovered('quoin')).toHaveLength(2);

    const down = await blog.takeDown();
    expect(down).toEqual({
      blog_id: blog.id,
      slug: blog.slug,
      taken_down_at: expect.any(String),
      taken_down_reason: REASON,
      rebuild_id: expect.any(String),
    });
    await expect.poll(() => blog.files(), wait).toEqual([]);
    for (const path of ['/', '/quoin-one/', '/feed.xml', '/robots.txt', '/search/']) {
      expect([path, await blog.status(path)]).toEqual([path, 404]);
    }
    expect(await discovered('quoin')).toEqual([]);
    const receipt = async () => (await blog.call('GET', `/rebuilds/${down.rebuild_id}`)).json;
    await expect.poll(receipt).toMatchObject({ status: 'live', files_written: 0 });

    expect(await blog.restore()).toMatchObject({ taken_down_at: null, taken_down_reason: null });
    await expect.poll(() => blog.files().sort(), wait).toEqual(before.sort());
    expect(await blog.status('/quoin-one/')).toBe(200);
    expect(await discovered('quoin')).toHaveLength(2);
  });

  it('a taken-down blog shows the reason to its owner, who may edit it and publish nothing', async () => {
    const blog = await blogWith('Frisket');
    const draft = (await blog.call('POST', '/posts', { title: 'Draft', content: 'x' })).json.slug;
    const { taken_down_at } = await blog.takeDown();
    const told = { taken_down_at, taken_down_reason: REASON };
    expect((await blog.call('GET', `/blogs/${blog.id}`)).json).toMatchObject(told);
    expect((await blog.call('GET', '/blogs')).json.data).toMatchObject([told]);

    const at = '2099-01-01T00:00:00.000Z';
    const post = { title: 'New', content: 'x', status: 'published' };
    for (const [path, body] of [
      ['/posts', post],
      [`/posts/${draft}/publish`, undefined],
      ['/posts/frisket/publish', undefined],
      [`/posts/${draft}/schedule`, { scheduled_at: at }],
      [`/posts/${draft}/preview`, undefined],
    ] as const) {
      const refused = await blog.call('POST', path, body);
      expectRefusal(refused, 403, /operator of this server took this blog down \(Phishing: reported/);
    }
    const { results } = (await blog.call('POST', '/posts:batch', { posts: [post] })).json;
    expect(results).toMatchObject([{ status: 403 }]);

    expect((await blog.call('POST', '/posts', { title: 'More', content: 'x' })).status).toBe(201);
    const edited = await blog.call('PUT', '/posts/frisket', { content: 'Mended.', slug: 'bed' });
    expect([edited.status, edited.headers.get('preference-applied')]).toEqual([200, 'wait=60']);
    expect((await blog.call('PUT', `/blogs/${blog.id}`, { name: 'Renamed' })).status).toBe(200);
    expect(blog.files()).toEqual([]);

    await blog.restore();
    await expect.poll(async () => (await platen.read(blog.slug, '/bed/')).text).toContain('Mended.');
    expect((await blog.call('POST', `/posts/${draft}/publish`)).status).toBe(200);
  });

  it('a restored blog publishes its scheduled posts', async () => {
    const blog = await blogWith('Tympan');
    const { db, clock, publication } = platen.services;
    const { slug } = (await blog.call('POST', '/posts', { title: 'Later', content: 'x' })).json;
    await blog.call('POST', `/posts/${slug}/schedule`, { scheduled_at: '2099-01-01T00:00:00Z' });
    await blog.takeDown();
    const due = db.updateTable('posts').set({ scheduled_at: clock.now() }).where('slug', '=', slug);
    await due.where('blog_id', '=', blog.id).execute();
    expect(await publication.publishDue()).toBe(0);
    const status = async () => (await blog.call('GET', `/posts/${slug}`)).json.status;
    expect(await status()).toBe('scheduled');
    await blog.restore();
    await expect.poll(status, wait).toBe('published');
  });

  it('preview links of a taken-down blog do not work', async () => {
    const blog = await blogWith('Platen');
    const { url } = (await blog.call('POST', '/posts/platen/preview')).json;
    const seen = async () => (await fetch(url)).status;
    expect(await seen()).toBe(200);
    await blog.takeDown();
    expect(await seen()).toBe(404);
    await blog.restore();
    expect(await seen()).toBe(200);
  });

  it('the slug of a taken-down blog stays held for everybody, even after the blog is deleted', async () => {
    const [down, up] = [await blogWith(), await blogWith()];
    await down.takeDown();
    for (const { id, call } of [down, up]) expect((await call('DELETE', `/blogs/${id}`)).status).toBe(200);
    const again = ({ slug, call }: typeof up) => call('POST', '/blogs', { slug, name: 'Again' });
    await expect.poll(async () => (await again(up)).status, wait).toBe(201);
    expectRefusal(await again(down), 409, /belonged to a deleted blog/);
  });

  it('a second take-down of a blog updates the reason, and a second restore changes nothing', async () => {
    const blog = await blogWith();
    const { taken_down_at } = await blog.takeDown();
    const again = await admin('blog', 'take-down', '--slug', blog.slug, '--reason', 'Other');
    expect(again).toMatchObject({ taken_down_at, taken_down_reason: 'Other', rebuild_id: null });
    const said = await adminOn(platen)('blog', 'take-down', '--slug', blog.slug, '--reason', 'X');
    expect(said.out).toBe(`the blog ${blog.slug} was already taken down; the reason is updated\n`);
    await blog.restore();
    expect(await adminOn(platen)('blog', 'restore', '--slug', blog.slug)).toEqual({
      code: 1,
      out: '',
      err: `platen-admin: the blog ${blog.slug} is not taken down\n`,
    });
  });
});

describe('a post that is taken down', () => {
  it('a taken-down post leaves pages, feeds, search and discovery, and is restored at its old date', async () => {
    const blog = await blogWith('Chase', 'Galley');
    await blog.call('PUT', '/posts/chase', { tags: ['metal'], slug: 'coffin' });
    const { published_at } = (await blog.call('GET', '/posts/coffin')).json;
    const { url } = (await blog.call('POST', '/posts/coffin/preview')).json;
    const places = ['/', '/coffin/', '/feed.xml', '/sitemap-posts-1.xml', '/tags/metal/', '/llms.txt'];
    const naming = async () => {
      const texts = await Promise.all(places.map((path) => platen.read(blog.slug, path)));
      return places.filter((_, at) => /coffin|Chase/.test(texts[at]?.text ?? ''));
    };
    const before = await naming();
    expect(before).toEqual(expect.arrayContaining(['/', '/coffin/', '/feed.xml']));

    const [{ id }] = blog.posts;
    const down = await blog.takeDownPost(id);
    expect(down).toEqual({
      blog_id: blog.id,
      post_id: id,
      slug: 'coffin',
      status: 'draft',
      taken_down_at: expect.any(String),
      taken_down_reason: REASON,
      rebuild_id: expect.any(String),
    });
    await expect.poll(naming, wait).toEqual([]);
    expect(await Promise.all(['/coffin/', '/chase/', '/galley/'].map(blog.status))).toEqual([404, 404, 200]);
    expect((await blog.call('GET', '/search?q=chase')).json.data).toEqual([]);
    expect(await discovered('chase')).toEqual([]);
    expect((await fetch(url)).status).toBe(404);

    const back = await blog.restorePost('coffin');
    expect(back).toMatchObject({ status: 'published', taken_down_at: null, taken_down_reason: null });
    await expect.poll(naming, wait).toEqual(before);
    expect((await blog.call('GET', '/posts/coffin')).json).toMatchObject({ published_at });
    expect(await blog.status('/chase/')).toBe(301);
    expect((await fetch(url)).status).toBe(200);
  });

  it('a taken-down post shows the reason to its owner, who may edit it and not publish it by any operation', async () => {
    const blog = await blogWith('Forme', 'Other');
    const { taken_down_at } = await blog.takeDownPost('forme');
    const told = { status: 'draft', taken_down_at, taken_down_reason: REASON };
    expect((await blog.call('GET', '/posts/forme')).json).toMatchObject(told);

    expect((await blog.call('PUT', '/posts/forme', { slug: 'moved', content: 'Mended.' })).status).toBe(200);
    expect((await blog.call('POST', '/posts/moved/unpublish')).status).toBe(200);
    for (const [path, body] of [
      ['/posts/moved/publish', undefined],
      ['/posts/moved/schedule', { scheduled_at: '2099-01-01T00:00:00Z' }],
      ['/posts/moved/preview', undefined],
    ] as const) {
      expectRefusal(await blog.call('POST', path, body), 403, /took this post down \(Phishing: reported/);
    }
    const [revision] = (await blog.call('GET', '/posts/moved/revisions')).json.data;
    await blog.call('POST', `/posts/moved/revisions/${revision.id}/restore`);
    const seen = () => Promise.all(['/forme/', '/moved/'].map(blog.status));
    await expect.poll(seen, wait).toEqual([404, 404]);
    expect((await blog.call('POST', '/posts/other/publish')).status).toBe(200);

    await blog.restorePost('moved');
    await expect.poll(() => blog.status('/moved/'), wait).toBe(200);
  });

  it.each([
    ['draft', null],
    ['scheduled', '2099-01-01T00:00:00.000Z'],
  ])('a taken-down post is a draft until its restore, whatever it was: %s', async (status, scheduled_at) => {
    const blog = await blogWith();
    await blog.call('POST', '/posts', { title: 'Fly', content: 'x' });
    if (scheduled_at) await blog.call('POST', '/posts/fly/schedule', { scheduled_at });
    expect(await blog.takeDownPost('fly')).toMatchObject({ status: 'draft', rebuild_id: null });
    expectRefusal(await blog.call('POST', '/posts/fly/publish'), 403, /took this post down/);
    expect(await blog.restorePost('fly')).toMatchObject({ status, rebuild_id: null });
    expect((await blog.call('GET', '/posts/fly')).json).toMatchObject({ status, scheduled_at });
  });
});

it.each([
  [['blog', 'take-down', '--slug', 'none', '--reason', 'x'], 'there is no blog with the slug none'],
  [['blog', 'restore', '--slug', 'none'], 'there is no blog with the slug none'],
  [
    ['post', 'take-down', '--blog', 'starter', '--slug', 'none', '--reason', 'x'],
    'there is no post "none" in the blog "starter"',
  ],
  [
    ['post', 'restore', '--blog', 'starter', '--slug', 'welcome-to-platen'],
    'the post welcome-to-platen is not taken down',
  ],
])('the command %j is refused', async (args, message) => {
  expect(await adminOn(platen)(...args)).toEqual({
    code: 1,
    out: '',
    err: `platen-admin: ${message}\n`,
  });
});

it('platen-admin account delete removes everything of the account beside the running server', async () => {
  const [gone, other] = [await blogWith('Bodkin'), await blogWith('Bodkin too')];
  const image = await uploaded(gone.call);
  const { email } = (await gone.call('GET', '/account/profile')).json;
  await admin('account', 'suspend', email);
  expect(await admin('account', 'delete', email, '--yes')).toEqual({
    account_id: gone.accountId,
    email,
    blogs: 1,
  });
  expect((await gone.call('GET', '/posts')).status).toBe(401);
  expect(await discovered('bodkin')).toEqual(['bodkin-too']);
  await expect.poll(() => gone.files(), wait).toEqual([]);
  await expect.poll(() => existsSync(image), wait).toBe(false);
  expect(await other.status('/bodkin-too/')).toBe(200);
  const accounts = await admin('account', 'list');
  expect(accounts.map(({ account_id }: { account_id: string }) => account_id)).not.toContain(gone.accountId);
});

/** File of an image on the edge. */
async function uploaded(
  call: (method: string, path: string, body: unknown) => Promise<{ json: { url: string } }>,
) {
  const data = (await picture().png().toBuffer()).toString('base64');
  const image = { data, content_type: 'image/png', filename: 'a.png' };
  const { json } = await call('POST', '/upload', image);
  const file = join(platen.dataDir, 'edge', new URL(json.url).pathname);
  expect(existsSync(file)).toBe(true);
  return file;
}

/** Generous, for a machine that other work shares. */
const wait = { timeout: 20_000, interval: 100 };
