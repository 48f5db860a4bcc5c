// Slow: starts a server, and waits for a rebuild after each write.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TierName } from '../../../server/tiers/tier.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

const live = { Prefer: 'wait=60' };
const origin = ({ blogSlug }: Author) => `http://${blogSlug}.${new URL(platen.origin).host}`;

describe('llms.txt of a blog', () => {
  it.each<[TierName, number]>([
    ['free', 404],
    ['starter', 404],
    ['creator', 200],
    ['scale', 200],
    ['enterprise', 200],
  ])('a blog on the %s plan answers llms.txt and llms-full.txt with %i', async (tier, status) => {
    const author = await newAuthor(platen, tier);
    await author.post({ slug: 'a-post', title: `Llama of ${tier}` }, live);
    const [found] = (await platen.call('GET', `/discover?q=llama+${tier}`, undefined, { key: null })).json
      .data;
    expect(found.llms_txt_url !== null).toBe(status === 200);
    for (const path of ['/llms.txt', '/llms-full.txt']) {
      const answer = await platen.read(author.blogSlug, path);
      expect(answer.status).toBe(status);
      if (status !== 200) continue;
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(answer.text).toContain(`Llama of ${tier}`);
    }
    if (found.llms_txt_url) expect(found.llms_txt_url).toBe(`${origin(author)}/llms.txt`);
    // Every plan includes the Markdown of posts.
    expect((await platen.read(author.blogSlug, '/a-post.md')).status).toBe(200);
  });

  it('every link in llms.txt works', async () => {
    const author = await newAuthor(platen, 'creator');
    await author.post({ slug: 'one', tags: ['ink'] }, live);
    await author.post({ slug: 'two' }, live);
    const { text } = await platen.read(author.blogSlug, '/llms.txt');
    const urls = Array.from(text.matchAll(/\]\((.*?)\)/g), ([, url = '']) => url);
    expect(urls.slice(0, 2)).toEqual([`${origin(author)}/two.md`, `${origin(author)}/one.md`]);
    expect(urls).toHaveLength(8);
    for (const url of urls) {
      expect(url.startsWith(`${origin(author)}/`)).toBe(true);
      expect((await platen.read(author.blogSlug, new URL(url).pathname)).status).toBe(200);
    }
  });

  it('llms.txt disappears on a smaller plan, and returns with the larger one', async () => {
    const author = await newAuthor(platen, 'creator');
    await author.post({ slug: 'a-post' }, live);
    const statusAt = (path: string) => async () => (await platen.read(author.blogSlug, path)).status;
    expect(await statusAt('/llms.txt')()).toBe(200);
    for (const [tier, status] of [
      ['starter', 404],
      ['creator', 200],
    ] as const) {
      await platen.services.accounts.setTier(author.accountId, tier);
      await expect.poll(statusAt('/llms.txt')).toBe(status);
      await expect.poll(statusAt('/llms-full.txt')).toBe(status);
    }
  });
});

describe('the Markdown of a post', () => {
  it('the Markdown of a post is at its address with .md, as its author wrote it', async () => {
    const author = await newAuthor(platen, 'free');
    const content = '# Head\r\n\r\nText with `{{ braces }}`, <b>HTML</b> and :tada:\n';
    await author.post({ slug: 'a-post', title: 'On "type"', content, tags: ['日本'] }, live);
    const page = await platen.read(author.blogSlug, '/a-post/');
    const [, href = ''] = /<link rel="alternate" type="text\/markdown" href="([^"]*)"/.exec(page.text) ?? [];
    expect(href).toBe('/a-post.md');
    const { status, headers, text } = await platen.read(author.blogSlug, href);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text.startsWith('---\ntitle: "On \\"type\\""\ndate: "')).toBe(true);
    expect(text).toContain(`\ncanonical_url: "${origin(author)}/a-post/"\n---\n`);
    expect(text.endsWith(`\n---\n\n${content}`)).toBe(true);
  });

  it('the Markdown of a post redirects when the post has moved, and is removed with the post', async () => {
    const author = await newAuthor(platen, 'free');
    await author.post({ slug: 'before', content: 'Some words.' }, live);
    await author.call('PUT', '/posts/before', { slug: 'after' }, live);
    const read = (path: string) => platen.read(author.blogSlug, path);
    expect((await read('/after.md')).text).toContain('Some words.');
    const before = await read('/before.md');
    expect([before.status, before.headers.get('location')]).toEqual([301, `${origin(author)}/after.md`]);
    await author.call('POST', '/posts/after/unpublish', undefined, live);
    for (const path of ['/after.md', '/before.md']) expect((await read(path)).status).toBe(404);
  });
});

describe('the feeds of a blog', () => {
  it('feeds of a blog and its tags are served with their content types', async () => {
    const author = await newAuthor(platen);
    await author.post({ slug: 'a-post', tags: ['日本'] }, live);
    for (const folder of ['/', `/tags/${encodeURIComponent('日本')}/`]) {
      for (const [file, type] of [
        ['feed.xml', 'application/xml; charset=utf-8'],
        ['rss.xml', 'application/xml; charset=utf-8'],
        ['feed.json', 'application/feed+json'],
      ]) {
        const { status, headers, text } = await platen.read(author.blogSlug, `${folder}${file}`);
        expect([status, headers.get('content-type')]).toEqual([200, type]);
        expect(text).toContain('/a-post/');
      }
    }
  });
});
