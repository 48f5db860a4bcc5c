// Slow: starts a whole server, and publishes enough posts for several pages of results.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

const search = (author: Author, q: string, more = '') =>
  author.call('GET', `/search?q=${encodeURIComponent(q)}${more}`);

async function slugsOf(author: Author, q: string, more = ''): Promise<string[]> {
  const answer = await search(author, q, more);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.data.map(({ slug }: { slug: string }) => slug);
}

describe('a search', () => {
  it('a search returns all fields', async () => {
    const author = await newAuthor(platen);
    const content = `# Heading\n\n${'Lorem ipsum dolor. '.repeat(40)}`;
    await author.post({ title: 'Found at last', slug: 'found', content, tags: ['Two words', 'x'] });
    const { status, json } = await search(author, 'found');
    expect(status).toBe(200);
    expect(json).toEqual({
      data: [
        {
          slug: 'found',
          title: 'Found at last',
          excerpt: expect.stringMatching(/^Heading Lorem ipsum .*…$/),
          tags: ['Two words', 'x'],
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ],
      pagination: { page: 1, per_page: 20, total: 1, total_pages: 1 },
    });
    expect(json.data[0].excerpt.length).toBeGreaterThan(180);
    expect(json.data[0].excerpt.length).toBeLessThanOrEqual(201);
  });

  it('a search ranks titles over descriptions, then headings, then tags', async () => {
    const author = await newAuthor(platen);
    const plain = { title: 'Something else', content: 'Plain words.', meta: { description: 'Plain words.' } };
    await author.post({ ...plain, slug: 'in-tags', tags: ['zebra'] });
    await author.post({ ...plain, slug: 'in-headings', content: 'Plain words.\n\n## Zebra' });
    await author.post({ ...plain, slug: 'in-description', meta: { description: 'A zebra.' } });
    await author.post({ ...plain, slug: 'in-title', title: 'The zebra' });
    await author.post({ ...plain, slug: 'nowhere' });
    expect(await slugsOf(author, 'zebra')).toEqual(['in-title', 'in-description', 'in-headings', 'in-tags']);
  });

  it('a search finds posts with every word, in any order and field', async () => {
    const author = await newAuthor(platen);
    await author.post({ slug: 'both', title: 'Kestrel', tags: ['harbour'] });
    await author.post({ slug: 'one', title: 'Kestrel' });
    expect(await slugsOf(author, 'harbour kestrel')).toEqual(['both']);
    expect((await slugsOf(author, 'kestrel')).sort()).toEqual(['both', 'one']);
  });

  it('a search matches the last word as a prefix, and no other', async () => {
    const author = await newAuthor(platen);
    await author.post({ slug: 'post', title: 'Publishing statically' });
    for (const q of ['p', 'pub', 'publishing stat', 'PUBLISHING STATICALLY']) {
      expect(await slugsOf(author, q), q).toEqual(['post']);
    }
    for (const q of ['pub statically', 'ublishing', 'publishings'])
      expect(await slugsOf(author, q), q).toEqual([]);
  });

  it('a search orders equal matches newest first', async () => {
    const author = await newAuthor(platen);
    for (const slug of ['first', 'second', 'third']) await author.post({ slug, title: 'Twin' });
    expect(await slugsOf(author, 'twin')).toEqual(['third', 'second', 'first']);
  });
});

describe('the search index follows posts', () => {
  const statuses = async (author: Author) => ({
    title: await slugsOf(author, 'quokka'),
    tag: await slugsOf(author, 'marsupial'),
  });
  const draft = { slug: 'post', title: 'Quokka', tags: ['marsupial'], status: 'draft' };

  it('search never finds drafts, and finds them once they are published', async () => {
    const author = await newAuthor(platen);
    await author.post(draft);
    expect(await statuses(author)).toEqual({ title: [], tag: [] });
    await author.call('PUT', '/posts/post', { content: 'Still a draft.' });
    expect(await statuses(author)).toEqual({ title: [], tag: [] });
    await author.call('POST', '/posts/post/publish');
    expect(await statuses(author)).toEqual({ title: ['post'], tag: ['post'] });
  });

  it('search does not find posts that are unpublished or scheduled', async () => {
    const author = await newAuthor(platen);
    for (const path of ['/posts/post/unpublish', '/posts/post/schedule']) {
      await author.post({ ...draft, status: 'published' });
      expect(await statuses(author)).toEqual({ title: ['post'], tag: ['post'] });
      const { status } = await author.call('POST', path, { scheduled_at: '2999-01-01T00:00:00Z' });
      expect(status).toBe(200);
      expect(await statuses(author)).toEqual({ title: [], tag: [] });
      await author.call('DELETE', '/posts/post');
    }
  });

  it('search finds an edited post by its new words only', async () => {
    const author = await newAuthor(platen);
    await author.post({ ...draft, status: 'published', content: '# Burrow\n\nText.' });
    const changed = { title: 'Wombat', slug: 'moved', content: '# Tunnel\n\nOther text.', tags: ['digger'] };
    expect((await author.call('PUT', '/posts/post', changed)).status).toBe(200);
    for (const q of ['quokka', 'marsupial', 'burrow']) expect(await slugsOf(author, q), q).toEqual([]);
    for (const q of ['wombat', 'digger', 'tunnel']) expect(await slugsOf(author, q), q).toEqual(['moved']);
    expect((await search(author, 'wombat')).json).toMatchObject({
      data: [{ excerpt: 'Tunnel Other text.' }],
      pagination: { total: 1 },
    });
  });

  it('search does not find deleted posts, or those of deleted blogs', async () => {
    const author = await newAuthor(platen);
    await author.post({ ...draft, status: 'published' });
    await author.call('DELETE', '/posts/post');
    expect(await statuses(author)).toEqual({ title: [], tag: [] });

    await author.post({ ...draft, title: 'Numbat', status: 'published' });
    const discover = () => platen.call('GET', '/discover?q=numbat');
    expect((await discover()).json.pagination.total).toBe(1);
    expect((await author.call('DELETE', `/blogs/${author.blogId}`)).status).toBe(200);
    expect((await discover()).json.pagination.total).toBe(0);
  });

  it('an excerpt has neither code nor tables; that of a post without running text is its description', async () => {
    const author = await newAuthor(platen);
    const code = '```sh\nnpm start\n```';
    await author.post({
      title: 'Quokka one',
      content: `${code}\n\n| a | b |\n|-|-|\n| c | d |\n\nRun \`npm\`.`,
    });
    await author.post({ title: 'Quokka two', content: code, meta: { description: 'How it starts.' } });
    const { json } = await search(author, 'quokka');
    const excerpts = json.data.map(({ title, excerpt }: { title: string; excerpt: string }) => [
      title,
      excerpt,
    ]);
    expect(new Map(excerpts)).toEqual(
      new Map([
        ['Quokka one', 'Run npm.'],
        ['Quokka two', 'How it starts.'],
      ]),
    );
  });
});

describe('the blog of a search', () => {
  it('a search covers the caller’s blog only', async () => {
    const [mine, other] = [await newAuthor(platen), await newAuthor(platen)];
    await mine.post({ slug: 'mine', title: 'Capybara' });
    await other.post({ slug: 'theirs', title: 'Capybara' });
    expect(await slugsOf(mine, 'capybara')).toEqual(['mine']);
    expect((await search(mine, 'capybara')).json.pagination.total).toBe(1);
    const named = { 'X-Blog-Id': other.blogId };
    expectRefusal(await mine.call('GET', '/search?q=capybara', undefined, named), 404, /blog not found/);
  });

  it('a search covers the blog that X-Blog-Id names', async () => {
    const author = await newAuthor(platen);
    const { json } = await author.call('POST', '/blogs', { slug: `${author.blogSlug}-b`, name: 'Second' });
    const second = { 'X-Blog-Id': json.id };
    await author.post({ slug: 'here', title: 'Ocelot' });
    await author.post({ slug: 'there', title: 'Ocelot' }, second);
    const found = await author.call('GET', '/search?q=ocelot', undefined, second);
    expect(found.json.data).toMatchObject([{ slug: 'there' }]);
    expect(await slugsOf(author, 'ocelot')).toEqual(['here']);
  });

  it('no query leads a search out of its blog', async () => {
    const [mine, other] = [await newAuthor(platen), await newAuthor(platen)];
    await other.post({ title: 'Secretary bird', tags: ['secret'] });
    const key = `\ue000${other.blogId.replaceAll('-', '')}`;
    for (const q of [
      key,
      `${key} secretary`,
      other.blogId,
      `keys:${other.blogId}`,
      'keys : *',
      '\ue001secret',
    ]) {
      expect(await slugsOf(mine, q), q).toEqual([]);
    }
  });
});

describe('the pages of a search', () => {
  let author: Author;
  beforeAll(async () => {
    author = await newAuthor(platen);
    for (let n = 1; n <= 53; n += 1) await author.post({ slug: `n-${n}`, title: 'Page turner' });
  });
  const page = async (query: string) => {
    const { status, json } = await author.call('GET', `/search?q=turner${query}`);
    expect(status).toBe(200);
    return { ...json.pagination, slugs: json.data.map(({ slug }: { slug: string }) => slug) };
  };

  it('search pages hold 20 results, and every post is on one of them', async () => {
    const pages = [await page(''), await page('&page=2'), await page('&page=3')];
    expect(pages.map(({ slugs }) => slugs.length)).toEqual([20, 20, 13]);
    expect(pages[0]).toMatchObject({ page: 1, per_page: 20, total: 53, total_pages: 3 });
    expect(new Set(pages.flatMap(({ slugs }) => slugs)).size).toBe(53);
  });

  it('search pages hold at most 50 results', async () => {
    expect((await page('&per_page=50')).slugs.length).toBe(50);
    const clamped = await page('&per_page=51');
    expect(clamped).toMatchObject({ per_page: 50, total_pages: 2 });
    expect(clamped.slugs.length).toBe(50);
  });

  it('a search page beyond the end is empty', async () => {
    for (const query of ['&page=4', '&page=999999999']) {
      expect(await page(query)).toMatchObject({ total: 53, total_pages: 3, slugs: [] });
    }
  });

  it.each(['page=0', 'page=-1', 'page=x', 'per_page=0', 'per_page=1.5', 'page=1&page=2'])(
    'search pages refuse %s',
    async (query) => {
      expectRefusal(await author.call('GET', `/search?q=a&${query}`), 400, /^(per_)?page: /);
    },
  );
});

describe('access to search', () => {
  it('a search needs the scope search:read only', async () => {
    const { key } = await platen.account({ tier: 'free', scopes: ['posts:read'] });
    expectRefusal(await platen.call('GET', '/search?q=a', undefined, { key }), 403, /search:read/);
    expectRefusal(await platen.call('GET', '/search?q=a', undefined, { key: null }), 401, /API key/);
    const { accountId, blogId } = await newAuthor(platen);
    const request = { accountId, blogId, name: 'S', scopes: ['search:read'], expiresAt: null } as const;
    const issued = await platen.services.credentials.issue(request);
    expect((await platen.call('GET', '/search?q=a', undefined, { key: issued.secret })).status).toBe(200);
  });
});
