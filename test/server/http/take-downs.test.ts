import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { type Author, newAuthor } from './author.ts';
import { expectRefusal } from './expect-refusal.ts';

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());
beforeEach(async () => {
  author = await newAuthor(platen, 'enterprise');
});

const live = { Prefer: 'wait=60' };
const moderation = () => platen.services.moderation;
const statusAt = async (path: string) => (await platen.read(author.blogSlug, path)).status;
const found = async (q: string) =>
  (await platen.call('GET', `/discover?q=${q}`, undefined, { key: null })).json.data.length;
const untilLive = async (rebuildId: string | null) => {
  if (rebuildId !== null)
    expect(await platen.services.rebuilds.waitUntilLive(rebuildId, null, 60_000)).toBe(true);
};

describe('a blog that an operator takes down', () => {
  it('is gone from the edge and from discovery, its owner reads why, and it comes back as it was', async () => {
    await author.post({ slug: 'kept', title: 'Zanzibarine', content: 'Zanzibarine words.' }, live);
    const before = (await author.call('GET', '/posts/kept')).json;
    expect([await statusAt('/kept/'), await found('zanzibarine')]).toEqual([200, 1]);

    const { rebuildId } = await moderation().takeDownBlog(author.blogSlug, 'It sells what may not be sold.');
    await untilLive(rebuildId);
    for (const path of ['/', '/kept/', '/feed.xml', '/kept.md'])
      expect([path, await statusAt(path)]).toEqual([path, 404]);
    expect(await found('zanzibarine')).toBe(0);
    const folder = join(platen.dataDir, 'edge', 'sites', author.blogSlug);
    expect(
      existsSync(folder)
        ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((e) => e.isFile())
        : [],
    ).toEqual([]);

    expect((await author.call('GET', `/blogs/${author.blogId}`)).json).toMatchObject({
      taken_down_at: expect.stringMatching(/Z$/),
      taken_down_reason: 'It sells what may not be sold.',
    });
    const body = { title: 'New', content: 'x', status: 'published' };
    const refused = /the operator of this server took this blog down \(It sells what may not be sold\.\)/;
    expectRefusal(await author.call('POST', '/posts', body), 403, refused);
    expect((await author.call('POST', '/posts', { ...body, slug: 'draft', status: 'draft' })).status).toBe(
      201,
    );
    expectRefusal(await author.call('POST', '/posts/draft/publish'), 403, refused);
    expect((await author.call('PUT', '/posts/kept', { tags: ['edited'] })).status).toBe(200);
    expect(await statusAt('/kept/')).toBe(404);

    await untilLive((await moderation().restoreBlog(author.blogSlug)).rebuildId);
    expect([await statusAt('/'), await statusAt('/kept/'), await found('zanzibarine')]).toEqual([
      200, 200, 1,
    ]);
    const after = (await author.call('GET', '/posts/kept')).json;
    expect([after.published_at, after.tags]).toEqual([before.published_at, ['edited']]);
    expect((await author.call('GET', `/blogs/${author.blogId}`)).json).toMatchObject({
      taken_down_at: null,
      taken_down_reason: null,
    });
  });

  it('takes its preview links along', async () => {
    await author.post({ slug: 'draft', content: 'x', status: 'draft' });
    const { url } = (await author.call('POST', '/posts/draft/preview', {})).json;
    expect((await fetch(url)).status).toBe(200);
    await moderation().takeDownBlog(author.blogSlug, 'No.');
    expect((await fetch(url)).status).toBe(404);
    await moderation().restoreBlog(author.blogSlug);
    expect((await fetch(url)).status).toBe(200);
  });
});

describe('a post that an operator takes down', () => {
  it('leaves the blog, cannot be published by its owner, and comes back as of the same moment', async () => {
    await author.post({ slug: 'other', title: 'Other', content: 'x' });
    await author.post({ slug: 'bad', title: 'Quixotically', content: 'Quixotically.' }, live);
    const before = (await author.call('GET', '/posts/bad')).json;
    const { rebuildId } = await moderation().takeDownPost(author.blogSlug, 'bad', 'A court says so.');
    await untilLive(rebuildId);
    expect([await statusAt('/bad/'), await statusAt('/other/'), await found('quixotically')]).toEqual([
      404, 200, 0,
    ]);
    expect((await platen.read(author.blogSlug, '/feed.xml')).text).not.toContain('Quixotically');
    expect((await author.call('GET', '/posts/bad')).json).toMatchObject({
      status: 'draft',
      taken_down_at: expect.any(String),
      taken_down_reason: 'A court says so.',
    });
    const why = /took this post down \(A court says so\.\)/;
    expectRefusal(await author.call('POST', '/posts/bad/publish'), 403, why);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    expectRefusal(await author.call('POST', '/posts/bad/schedule', { scheduled_at: at }), 403, why);

    await untilLive((await moderation().restorePost(author.blogSlug, before.id)).rebuildId);
    expect([await statusAt('/bad/'), await found('quixotically')]).toEqual([200, 1]);
    expect((await author.call('GET', '/posts/bad')).json).toMatchObject({
      status: 'published',
      published_at: before.published_at,
      taken_down_at: null,
    });
  });

  it('is scheduled again if it was, and cannot be restored twice', async () => {
    await author.post({ slug: 'later', content: 'x', status: 'draft' });
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await author.call('POST', '/posts/later/schedule', { scheduled_at: at });
    await moderation().takeDownPost(author.blogSlug, 'later', 'No.');
    expect((await author.call('GET', '/posts/later')).json.status).toBe('draft');
    await moderation().restorePost(author.blogSlug, 'later');
    expect((await author.call('GET', '/posts/later')).json).toMatchObject({
      status: 'scheduled',
      scheduled_at: at,
    });
    await expect(moderation().restorePost(author.blogSlug, 'later')).rejects.toThrow('is not taken down');
  });
});

it('a blog or post that there is not is said to be none', async () => {
  await expect(moderation().takeDownBlog('nowhere', 'x')).rejects.toThrow(
    'there is no blog with the slug nowhere',
  );
  await expect(moderation().takeDownPost(author.blogSlug, 'nothing', 'x')).rejects.toThrow(
    'there is no post "nothing"',
  );
});
