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
import { picture } from '../../support/pictures.ts';
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
    const post = (fields: object) =>
      expect.objectContaining({ tags: [], created_at: expect.any(String), ...fields });
    const blog = (fields: object) => expect.objectContaining({ name: expect.any(String), ...fields });
    expect(answer.json).toEqual({
      exported_at: expect.stringMatching(/^\d{4}-.*Z$/),
      user_id: author.accountId,
      blogs: [
        {
          blog: blog({ slug: author.blogSlug, description: '' }),
          images: [],
          redirects: [],
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
          blog: blog({ slug: 'exported', name: 'Ex "port"', description: 'D' }),
          images: [],
          redirects: [],
          posts: [post({ slug: 'three', title: 'Three', content_md: 'y', status: 'published' })],
        },
      ],
      total_posts: 3,
    });
  });

  it('a blog can be made again from an export, by the API alone', async () => {
    const author = await newAuthor(platen, 'scale');
    await author.call('PUT', `/blogs/${author.blogId}`, {
      description: 'All "of" it.',
      theme_config: { customCss: 'p{}', layout: '<hr>{{ content }}', adCode: '<b>ad</b>' },
      settings: {
        accent_color: '#0a7ea4',
        language: 'de',
        author: { name: 'Ada', url: 'https://ada.example/', image: null },
        navigation: [{ label: 'About', url: '/about/' }],
        social_links: [{ label: 'Elsewhere', url: 'https://social.example/@ada' }],
        front_page: { page: 'home', list: 'all' },
      },
    });
    const png = (await picture(6, 4).png().toBuffer()).toString('base64');
    const upload = { data: png, content_type: 'image/png', filename: 'dot.png' };
    const { url: image } = (await author.call('POST', '/upload', upload)).json;
    await author.post({ slug: 'home', type: 'page', content: 'Welcome.' });
    await author.post({ slug: 'plain', content: 'Plain.' });
    await author.post({
      slug: 'old',
      content: `![dot](${image})`,
      tags: ['Ink', 'C++'],
      published_at: '2019-03-14T09:30:00.000Z',
      meta: { description: 'Given.', og_image: 'https://example.org/a.png' },
      translations: { ja: 'plain' },
      series: { name: 'Type', part: 7 },
      cover_image: { url: image, alt: 'A "dot"' },
      author: { name: 'Bea', url: null, image: null },
      canonical_url: 'https://elsewhere.example/original',
      featured: true,
    });
    await author.call('PUT', '/posts/old', { slug: 'older' });
    await author.call('PUT', '/posts/older', { slug: 'oldest' });
    await author.post({ slug: 'hidden', unlisted: true });
    await author.post({ slug: 'a-draft', status: 'draft' });
    await author.post({ slug: 'later', status: 'draft' });
    await author.call('POST', '/posts/later/schedule', { scheduled_at: '2099-01-01T00:00:00.000Z' });
    const moved = [
      { from: '/2019/03/a.html', to: '/plain/' },
      { from: '/wiki/', to: 'https://wiki.example/' },
    ];
    await author.call('POST', `/blogs/${author.blogId}/redirects`, { redirects: moved });
    const first = await exported(author);
    expect(first.blogs[0].redirects).toEqual(moved);
    expect(first.blogs[0].images).toEqual([{ url: image, filename: 'dot.png', width: 6, height: 4 }]);
    expect(first.blogs[0].posts[2].previous_slugs).toEqual(['old', 'older']);

    const other = await newAuthor(platen, 'scale');
    const [{ blog, posts, redirects }] = first.blogs;
    const made = await other.call('POST', '/blogs', { ...blog, slug: 'made-again' });
    expect(made.status).toBe(201);
    expect((await other.call('PUT', `/blogs/${made.json.id}`, { ...blog, slug: 'made-again' })).status).toBe(
      200,
    );
    for (const post of posts) {
      const { status, json } = await other.call('POST', '/posts', post, { 'X-Blog-Id': made.json.id });
      expect([status, json.slug], JSON.stringify(json)).toEqual([201, post.slug]);
    }
    const redirecting = await other.call('POST', `/blogs/${made.json.id}/redirects`, { redirects });
    expect(redirecting.status).toBe(200);
    const [, again] = (await exported(other)).blogs;
    const lasting = (all: Record<string, unknown>[]) =>
      all.map((post) => ({ ...post, created_at: null, updated_at: null }));
    expect([again.blog, again.redirects]).toEqual([{ ...blog, slug: 'made-again' }, redirects]);
    expect(lasting(again.posts)).toEqual(lasting(posts));
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
    const rest = (await author.call('GET', `/account/export?after=${full.next}`)).json;
    expect(rest.blogs.map(({ posts }: { posts: object[] }) => posts.length)).toEqual([0, 1]);
    expect(rest.blogs[1].posts).toMatchObject([{ content_md: 'last' }]);
    expect([rest.total_posts, rest.truncated, rest.next]).toEqual([1, undefined, undefined]);
    for (const after of ['x', '', 'x'.repeat(501)]) {
      expectRefusal(
        await author.call('GET', `/account/export?after=${after}`),
        400,
        /^after: must be the value of next/,
      );
    }
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
