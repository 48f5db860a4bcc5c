// Slow: starts a server, and waits for rebuilds and drawn cards.
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

const WAIT = { Prefer: 'respond-async, wait=60' };

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
});
afterAll(() => platen.close());

const read = (path: string) => platen.read(author.blogSlug, path);
const pathOf = (url: string) => new URL(url).pathname;

describe('a client that waits for its rebuild', () => {
  it('a client that waits finds its post on every page that lists it', async () => {
    const body = { title: 'Seen at once', content: 'Hot metal.', tags: ['Type & Ink'], status: 'published' };
    const { status, headers, json } = await author.call('POST', '/posts', body, WAIT);
    expect(status).toBe(201);
    expect(headers.get('preference-applied')).toBe('wait=60');

    expect((await read(pathOf(json.url))).text).toContain('<p>Hot metal.</p>');
    for (const path of ['/', '/page/1/', '/tags/type-ink/', '/feed.xml']) {
      expect((await read(path)).text, path).toContain('Seen at once');
    }
    expect((await read('/tags/type-ink/')).text).toContain('Type &amp; Ink');
    const sitemaps = (await read('/sitemap.xml')).text.match(/(?<=<loc>)[^<]*(?=<\/loc>)/g) ?? [];
    const entries = await Promise.all(sitemaps.map(async (url) => (await read(pathOf(url))).text));
    expect(entries.join()).toContain(`<loc>${json.url}</loc>`);
  });

  it('a client that waits for the card finds it drawn, and its address in the post', async () => {
    const { slug, url } = await author.post({ title: 'With a card' }, WAIT);
    const { og_image_url } = (await author.call('GET', `/posts/${slug}`)).json;
    expect(og_image_url).toMatch(/^http:\/\/.*\/og\/[0-9a-f]+\.png$/);
    expect((await read(pathOf(url))).text).toContain(`<meta property="og:image" content="${og_image_url}"`);
    const card = await read(pathOf(og_image_url));
    expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(card.text.slice(1, 4)).toBe('PNG');
  });

  it('a client that waits finds later posts, changes and deletions', async () => {
    const { slug } = await author.post({ slug: 'life', tags: ['life'], status: 'draft' });
    expect((await read('/life/')).status).toBe(404);
    expect((await author.call('GET', '/posts/life')).json.og_image_url).toBeNull();

    const published = await author.call('POST', `/posts/${slug}/publish`, undefined, WAIT);
    expect(published.headers.get('preference-applied')).toBe('wait=60');
    expect((await read('/life/')).text).toContain('Some words.');
    expect((await read('/tags/life/')).status).toBe(200);

    const changed = await author.call('PUT', `/posts/${slug}`, { content: 'Other words.' }, WAIT);
    expect(changed.headers.get('preference-applied')).toBe('wait=60');
    expect((await read('/life/')).text).toContain('Other words.');

    const card = pathOf((await author.call('GET', '/posts/life')).json.og_image_url);
    const removed = await author.call('DELETE', `/posts/${slug}`, undefined, WAIT);
    expect(removed.headers.get('preference-applied')).toBe('wait=60');
    for (const path of ['/life/', '/tags/life/', card]) expect((await read(path)).status, path).toBe(404);
    expect((await read('/feed.xml')).text).not.toContain('Other words.');
  });

  it('a client that did not wait long enough gets no confirmation', async () => {
    for (const headers of [{}, { Prefer: 'wait=0' }, { Prefer: 'wait=soon' }, { Prefer: 'return=minimal' }]) {
      const body = { title: 'Not waiting', content: 'x', status: 'published' };
      const answer = await author.call('POST', '/posts', body, { ...headers });
      expect(answer.status).toBe(201);
      expect(answer.headers.has('preference-applied')).toBe(false);
    }
  });
});

it('an author’s image replaces the card', async () => {
  const og_image = 'https://example.org/own.png';
  const { slug } = await author.post({ meta: { og_image } }, WAIT);
  expect((await author.call('GET', `/posts/${slug}`)).json.og_image_url).toBe(og_image);
  expect((await read(`/${slug}/`)).text).toContain(`<meta property="og:image" content="${og_image}"`);
});

it.each([
  ['control characters', 'before\u0008\u000b\u001b\u007f after'],
  ['characters that Unicode leaves out', 'before\ufffe\uffff after'],
])('%s in a post do not break the feed', async (title, content) => {
  await author.post({ title, content }, WAIT);
  const { text } = await read('/feed.xml');
  expect(text).toContain(title);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that XML 1.0 cannot hold
  expect(text.match(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)).toBeNull();
});

it('a blog on the free plan asks search engines to stay away', async () => {
  const free = await newAuthor(platen, 'free');
  await free.post({ slug: 'quiet' }, WAIT);
  const page = await platen.read(free.blogSlug, '/quiet/');
  expect(page.text).toMatch(/<meta name="robots" content="noindex/);
  expect((await platen.read(free.blogSlug, '/robots.txt')).text).toContain('Disallow: /\n');
  expect((await platen.read(free.blogSlug, '/sitemap.xml')).status).toBe(404);
  expect((await read('/robots.txt')).text).toContain('Allow: /\n');
});

describe('the receipt of a rebuild', () => {
  it('a receipt reports the outcome of a rebuild', async () => {
    const { rebuild_id } = await author.post({}, WAIT);
    const { status, json } = await author.call('GET', `/rebuilds/${rebuild_id}`);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: rebuild_id,
      blog_id: author.blogId,
      status: 'live',
      files_written: expect.any(Number),
      files_removed: 0,
      invalidated: 0,
      queued_at: expect.any(String),
      live_at: expect.any(String),
      duration_ms: Date.parse(json.live_at) - Date.parse(json.queued_at),
      steps: expect.any(Object),
      error: null,
    });
    expect(json.files_written).toBeGreaterThanOrEqual(3);
    expect(Object.values(json.steps).length).toBeGreaterThan(0);
    for (const milliseconds of Object.values(json.steps)) expect(milliseconds).toBeGreaterThanOrEqual(0);
  });

  it('a receipt counts removed files', async () => {
    const { slug } = await author.post({}, WAIT);
    const { rebuild_id } = (await author.call('DELETE', `/posts/${slug}`, undefined, WAIT)).json;
    const { json } = await author.call('GET', `/rebuilds/${rebuild_id}`);
    expect(json.files_removed).toBeGreaterThanOrEqual(1);
  });

  it('a receipt is not found for another account, a key bound to another blog, or an unknown id', async () => {
    const { rebuild_id } = await author.post({});
    const stranger = await newAuthor(platen);
    const second = await author.call('POST', '/blogs', { slug: 'second', name: 'Second' });
    const bound = await platen.services.credentials.issue({
      accountId: author.accountId,
      blogId: second.json.id,
      name: 'Bound',
      scopes: ['*'],
      expiresAt: null,
    });
    expectRefusal(await stranger.call('GET', `/rebuilds/${rebuild_id}`), 404, /rebuild not found/);
    const withBound = { key: bound.secret };
    const refused = await platen.call('GET', `/rebuilds/${rebuild_id}`, undefined, withBound);
    expectRefusal(refused, 404, /rebuild not found/);
    for (const id of [uuid(), 'nonsense', '%00', "'", 'x'.repeat(5000)]) {
      expectRefusal(await author.call('GET', `/rebuilds/${id}`), 404, /rebuild not found/);
    }
  });
});
