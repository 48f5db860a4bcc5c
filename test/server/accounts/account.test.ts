// Slow: starts a whole server, and exports thousands of posts.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MARKDOWN_VERSION } from '../../../generator/markdown/version.ts';
import { defaultDetails } from '../../../server/posts/details.ts';
import { insertPost } from '../../../server/posts/store.ts';
import { tierNames } from '../../../server/tiers/tier.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

describe('the profile of an account', () => {
  it.each(tierNames)('the profile shows the %s plan and the account’s name and email', async (tier) => {
    const { accountId, key } = await platen.account({ tier });
    const { status, json } = await platen.call('GET', '/account/profile', undefined, { key });
    expect(status).toBe(200);
    expect(json).toEqual({
      id: accountId,
      email: `${accountId}@example.org`,
      name: tier,
      plan: tier,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('a key bound to a blog reads the profile of its account too', async () => {
    const author = await newAuthor(platen);
    const { key } = (await author.call('POST', `/blogs/${author.blogId}/api-keys`, {})).json;
    const { json } = await platen.call('GET', '/account/profile', undefined, { key });
    expect(json.id).toBe(author.accountId);
  });
});

describe('the export of an account', () => {
  const exported = async (author: Author) => (await author.call('GET', '/account/export')).json;

  it('an export holds every blog and post of the account with all fields, oldest first', async () => {
    const author = await newAuthor(platen, 'creator');
    const second = (
      await author.call('POST', '/blogs', { slug: 'exported', name: 'Ex "port"', description: 'D' })
    ).json;
    await author.post({ slug: 'one', title: 'One', content: 'Quotes " and\nlines\u2028', tags: ['a', 'b'] });
    await author.post({ slug: 'two', title: 'Two', content: 'x', status: 'draft' });
    await author.post({ slug: 'three', title: 'Three', content: 'y' }, { 'X-Blog-Id': second.id });
    await (await newAuthor(platen)).post({ slug: 'a-stranger-s' });

    const answer = await author.call('GET', '/account/export');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const post = (fields: object) => ({ tags: [], created_at: expect.any(String), ...fields });
    expect(answer.json).toEqual({
      exported_at: expect.stringMatching(/^\d{4}-.*Z$/),
      user_id: author.accountId,
      blogs: [
        {
          blog: { slug: author.blogSlug, name: expect.any(String), description: '' },
          posts: [
            post({
              slug: 'one',
              title: 'One',
              content_md: 'Quotes " and\nlines\u2028',
              tags: ['a', 'b'],
              status: 'published',
            }),
            post({ slug: 'two', title: 'Two', content_md: 'x', status: 'draft' }),
          ],
        },
        {
          blog: { slug: 'exported', name: 'Ex "port"', description: 'D' },
          posts: [post({ slug: 'three', title: 'Three', content_md: 'y', status: 'published' })],
        },
      ],
      total_posts: 3,
    });
  });

  it.each(tierNames)('an export on the %s plan is complete, and may be empty', async (tier) => {
    const { key } = await platen.account({ tier });
    const { status, json } = await platen.call('GET', '/account/export', undefined, { key });
    expect([status, json.blogs, json.total_posts]).toEqual([200, [], 0]);
  });

  it('an export with a key bound to a blog holds that blog only', async () => {
    const author = await newAuthor(platen);
    const second = (await author.call('POST', '/blogs', { slug: 'bound-export', name: 'B' })).json.id;
    await author.post({ slug: 'in-the-first' });
    await author.post({ slug: 'in-the-second' }, { 'X-Blog-Id': second });
    const { key } = (await author.call('POST', `/blogs/${second}/api-keys`, {})).json;
    const { json } = await platen.call('GET', '/account/export', undefined, { key });
    expect(json.blogs).toMatchObject([
      { blog: { slug: 'bound-export' }, posts: [{ slug: 'in-the-second' }] },
    ]);
    expect(json.total_posts).toBe(1);
  });

  it('an export needs the scope account:read', async () => {
    const { key } = await platen.account({ tier: 'scale', scopes: ['posts:read'] });
    for (const path of ['/account/export', '/account/profile']) {
      expectRefusal(await platen.call('GET', path, undefined, { key }), 403, /account:read/);
    }
  });

  it('an export holds at most 5,000 posts and says if there are more', async () => {
    const author = await newAuthor(platen);
    const second = (await author.call('POST', '/blogs', { slug: 'the-rest', name: 'R' })).json.id;
    await fill(author.blogId, 4_990, 'x');
    await fill(second, 9, 'x');
    expect(await exported(author)).not.toHaveProperty('truncated');
    await fill(second, 1, 'x');
    expect(await exported(author)).toMatchObject({ total_posts: 5_000, truncated: false });
    await fill(second, 1, 'last');
    const full = await exported(author);
    expect(full).toMatchObject({ total_posts: 5_000, truncated: true });
    expect(full.blogs.map(({ posts }: { posts: object[] }) => posts.length)).toEqual([4_990, 10]);
    expect(JSON.stringify(full)).not.toContain('last');
  });

  it('an export is read from the database only as fast as the client reads it', async () => {
    const author = await newAuthor(platen);
    await fill(author.blogId, 64, 'm'.repeat(1_048_576));
    const res = await beginExport(author);
    await once(res, 'readable');
    const { db } = platen.services;
    await db.deleteFrom('posts').where('blog_id', '=', author.blogId).execute();
    let text = '';
    for await (const chunk of res.setEncoding('utf8')) text += chunk;
    const { blogs, total_posts } = JSON.parse(text);
    expect(total_posts).toBeLessThan(64);
    expect(blogs[0].posts).toHaveLength(total_posts);
  });

  it('an export ends if the client disconnects, and the server keeps running', async () => {
    const author = await newAuthor(platen);
    await fill(author.blogId, 64, 'm'.repeat(1_048_576));
    const res = await beginExport(author);
    await once(res, 'readable');
    res.destroy();
    expect((await author.call('GET', '/blogs')).status).toBe(200);
    expect((await author.call('GET', '/account/export')).json.total_posts).toBe(64);
  });
});

async function beginExport(author: Author): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${author.key}` };
  const [res] = await once(get(`${platen.origin}/v1/account/export`, { headers }), 'response');
  return res;
}

/** Inserts posts directly, since the API would render each of them. */
async function fill(blogId: string, posts: number, source: string): Promise<void> {
  const content = {
    html: '',
    headings: [],
    description: '',
    text: '',
    wordCount: 1,
    readingMinutes: 1,
    lang: null,
    links: [],
    imagePaths: [],
    renderer: MARKDOWN_VERSION,
  };
  await platen.services.db.transaction().execute(async (tx) => {
    for (let n = 0; n < posts; n += 1) {
      const id = uuid();
      const fields = { id, blogId, slug: id, title: 'T', tags: [], metaDescription: null, ogImage: null };
      await insertPost(
        tx,
        { ...fields, ...defaultDetails, type: 'post', translations: {}, createdAt: new Date().toISOString() },
        { ...content, source },
      );
    }
  });
}
