// Slow: starts a whole server, and waits for rebuilds of all pages of a blog.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_FORMER_SLUGS } from '../../../server/addresses/blog-slugs.ts';
import { MAX_SLUG_CHANGES } from '../../../server/blogs/blogs.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

const WAIT = { Prefer: 'wait=60' };

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());
beforeEach(async () => {
  author = await newAuthor(platen);
});

const rename = (slug: string, of = author, headers = {}) =>
  of.call('PUT', `/blogs/${of.blogId}`, { slug }, { ...WAIT, ...headers });

const urlOf = (slug: string, path = '/') => `http://${slug}.${new URL(platen.origin).host}${path}`;

const locationOf = async (slug: string, path: string) => {
  const { status, headers } = await platen.read(slug, path);
  return [status, headers.get('location')];
};

describe('a blog gets another slug', () => {
  it('readers find it at its new host, and every former address leads there', async () => {
    await author.post({ slug: 'a-post', tags: ['Ink'] }, WAIT);
    const [old, slug] = [author.blogSlug, `${author.blogSlug}-new`];
    const { status, json } = await rename(slug);
    expect([status, json.slug, json.url]).toEqual([200, slug, urlOf(slug)]);
    for (const path of ['/', '/a-post/', '/a-post.md', '/feed.xml', '/tags/ink/', '/search/']) {
      const page = await platen.read(slug, path);
      expect([page.status, page.text.includes(`//${old}.`)], path).toEqual([200, false]);
      expect(await locationOf(old, `${path}?q=1`)).toEqual([301, urlOf(slug, `${path}?q=1`)]);
    }
    expect((await author.post({ slug: 'later' })).url).toBe(urlOf(slug, '/later/'));
  });

  it('it can have its former slug again, and then the other redirects', async () => {
    const [old, slug] = [author.blogSlug, `${author.blogSlug}-new`];
    await rename(slug);
    await rename(old);
    expect((await platen.read(old, '/')).status).toBe(200);
    expect(await locationOf(slug, '/')).toEqual([301, urlOf(old)]);
    expect((await rename(old)).json.rebuild_id).toBeUndefined();
  });

  it('a slug that another blog has or had is refused, to everybody, until that blog is gone', async () => {
    const other = await newAuthor(platen);
    const [old, slug] = [author.blogSlug, `${author.blogSlug}-new`];
    await rename(slug);
    expectRefusal(await rename(slug, other), 409, /is taken/);
    expectRefusal(await rename(old, other), 409, /redirects to somebody else's blog$/);
    const create = (by: Author, slug: string) => by.call('POST', '/blogs', { slug, name: 'B' }, WAIT);
    expectRefusal(await create(other, old), 409, /redirects to somebody else's blog$/);
    expectRefusal(await create(author, old), 409, new RegExp(`redirects to your blog "${slug}"`));
    await author.call('DELETE', `/blogs/${author.blogId}`, undefined, WAIT);
    for (const gone of [old, slug]) {
      expect(existsSync(join(platen.dataDir, 'edge', 'sites', gone))).toBe(false);
      expect((await platen.read(gone, '/')).status).toBe(404);
      expectRefusal(await create(other, gone), 409, /belonged to a deleted blog: choose another, or wait/);
      expectRefusal(await rename(gone, other), 409, /belonged to a deleted blog: choose another, or wait/);
    }
    expect((await create(author, old)).status).toBe(201);
    expect((await platen.read(old, '/')).status).toBe(200);
  });

  it.each([
    ['admin', /is reserved/],
    ['Not-a-slug', /^slug: must be/],
    ['', /^slug: must be/],
  ])('%j is no slug', async (slug, message) => {
    expectRefusal(await rename(slug), 400, message);
  });

  it('nothing changes for a request about an earlier version', async () => {
    expectRefusal(await rename(`${author.blogSlug}-new`, author, { 'If-Match': '"old"' }), 412, /If-Match/);
    expect((await author.call('GET', `/blogs/${author.blogId}`)).json.slug).toBe(author.blogSlug);
  });

  it('a blog keeps a limited number of former slugs, and may take those again', async () => {
    const { db } = platen.services;
    const first = author.blogSlug;
    const former = (n: number) => ({ slug: `${first}-${n}`, blog_id: author.blogId });
    const rows = Array.from({ length: MAX_FORMER_SLUGS - 1 }, (_, n) => former(n));
    await db.insertInto('former_slugs').values(rows).execute();
    expect((await rename(`${first}-last`)).status).toBe(200);
    expectRefusal(await rename(`${first}-too-many`), 409, /has had 10 others/);
    expect((await rename(first)).status).toBe(200);
  });

  it('a slug changes a limited number of times a day', async () => {
    const names = [`${author.blogSlug}-a`, author.blogSlug];
    for (let n = 0; n < MAX_SLUG_CHANGES; n += 1) {
      const { status } = await author.call('PUT', `/blogs/${author.blogId}`, { slug: names[n % 2] });
      expect(status).toBe(200);
    }
    const refused = await rename(`${author.blogSlug}-a`);
    expectRefusal(refused, 429, /^slug: a blog may have 10 changes of its slug a day/, ['retry_after']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
    expect((await author.call('PUT', `/blogs/${author.blogId}`, { name: 'Other' })).status).toBe(200);
  });

  it('the slug of a blog that an operator has taken down stays', async () => {
    await platen.services.moderation.takeDownBlog(author.blogSlug, 'Phishing.');
    expectRefusal(await rename(`${author.blogSlug}-new`), 403, /its slug stays/);
  });
});
