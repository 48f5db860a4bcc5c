// Slow: starts a server, and waits for a rebuild after each move of a post.
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_REDIRECTS } from '../../../server/redirects/redirect.ts';
import { saveRedirects } from '../../../server/redirects/store.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { readEdge } from '../../support/site-builder.ts';

const WAIT = { Prefer: 'wait=60' };

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
});
afterAll(() => platen.close());

/** Moves a post, and waits until readers are redirected. */
async function move(from: string, to: string): Promise<void> {
  const { status, headers, text } = await author.call('PUT', `/posts/${from}`, { slug: to }, WAIT);
  expect(status, text).toBe(200);
  expect(headers.get('preference-applied')).toBe('wait=60');
}

const read = (path: string, options = {}) => platen.read(author.blogSlug, path, options);

/** Target of the redirect at an address, or null if a page is there. */
async function leadsTo(slug: string): Promise<string | null> {
  const { status, headers } = await read(`/${slug}/`);
  if (status === 200) return null;
  expect(status).toBe(301);
  return new URL(headers.get('location') ?? '').pathname;
}

const statusOf = async (slug: string) => (await read(`/${slug}/`)).status;

describe('the former address of a published post', () => {
  it('a former address redirects to the current one after every further move', async () => {
    await author.post({ slug: 'move-1' });
    await move('move-1', 'move-2');
    expect(await leadsTo('move-1')).toBe('/move-2/');
    expect(await leadsTo('move-2')).toBeNull();
    await move('move-2', 'move-3');
    expect(await leadsTo('move-1')).toBe('/move-3/');
    expect(await leadsTo('move-2')).toBe('/move-3/');
    expect(await leadsTo('move-3')).toBeNull();
  });

  it('a former address is the post’s own again when it moves back', async () => {
    await author.post({ slug: 'there' });
    await move('there', 'elsewhere');
    await move('elsewhere', 'there');
    expect(await leadsTo('there')).toBeNull();
    expect(await leadsTo('elsewhere')).toBe('/there/');
  });

  it('a post has twenty of them at most, and may take one of them again', async () => {
    await author.post({ slug: 'much-moved-0', previous_slugs: ['much-moved-before'] });
    const moved = (from: number, to: number) =>
      author.call('PUT', `/posts/much-moved-${from}`, { slug: `much-moved-${to}` });
    for (let at = 0; at < 19; at++) expect((await moved(at, at + 1)).status).toBe(200);
    expectRefusal(await moved(19, 20), 409, /^slug: the post has had 20 others.* take one of them again$/);
    expect((await moved(19, 3)).status).toBe(200);
    expectRefusal(await moved(3, 20), 409, /has had 20 others/);
    await author.post({ slug: 'much-moved-5' });
    expect((await moved(3, 20)).status).toBe(200);
  });

  it('former addresses count among the ten thousand redirects of a blog', async () => {
    const by = await newAuthor(platen);
    const now = platen.services.clock.now();
    const redirects = Array.from({ length: MAX_REDIRECTS - 2 }, (_, n) => ({
      ...{ id: uuid(), path: `${n}.html`, target: '/', createdAt: now, updatedAt: now },
    }));
    await saveRedirects(platen.services.db, by.blogId, redirects);
    await by.post({ slug: 'one', previous_slugs: ['zero'] });
    const move = (from: string, to: string) => by.call('PUT', `/posts/${from}`, { slug: to });
    expect((await move('one', 'two')).status).toBe(200);
    const tooMany = /at most 10000 redirects, with the former slugs of its posts/;
    expectRefusal(await move('two', 'three'), 403, tooMany);
    expect((await move('two', 'one')).status).toBe(200);
    const body = { title: 'T', content: 'C', previous_slugs: ['another'] };
    expectRefusal(await by.call('POST', '/posts', body), 403, tooMany);
    const set = () => by.call('POST', `/blogs/${by.blogId}/redirects`, { from: '/x.html', to: '/' });
    expectRefusal(await set(), 403, tooMany);
    expect((await by.call('DELETE', '/posts/one')).status).toBe(200);
    expect((await set()).status).toBe(200);
  });

  it('a generated slug avoids former addresses', async () => {
    await author.post({ slug: 'reserved' });
    await move('reserved', 'reserved-no-more');
    expect((await author.post({ title: 'Reserved', status: 'draft' })).slug).toBe('reserved-2');
  });

  it('a former address goes to a published post that takes its slug', async () => {
    await author.post({ slug: 'claimed' });
    await move('claimed', 'first-owner');
    await author.post({ slug: 'claimed', content: 'By its second owner.' }, WAIT);
    expect((await read('/claimed/')).text).toContain('By its second owner.');
    await author.call('DELETE', '/posts/claimed', undefined, WAIT);
    expect(await statusOf('claimed')).toBe(404);
  });

  it('a former address is gone when a draft takes its slug', async () => {
    await author.post({ slug: 'drafted' });
    await move('drafted', 'drafted-on');
    const claimed = await author.post({ slug: 'drafted', status: 'draft' }, WAIT);
    expect(claimed.rebuild_id).toBeDefined();
    expect(await statusOf('drafted')).toBe(404);
    expect(await leadsTo('drafted-on')).toBeNull();
  });

  it('a former address is gone when a draft moves to its slug', async () => {
    await author.post({ slug: 'moved-onto' });
    await move('moved-onto', 'moved-away');
    await author.post({ slug: 'waiting', status: 'draft' });
    await move('waiting', 'moved-onto');
    expect(await statusOf('moved-onto')).toBe(404);
  });

  it('a former address is removed with its post', async () => {
    await author.post({ slug: 'mortal' });
    await move('mortal', 'mortal-2');
    await author.call('DELETE', '/posts/mortal-2', undefined, WAIT);
    expect([await statusOf('mortal'), await statusOf('mortal-2')]).toEqual([404, 404]);
    expect((await author.post({ title: 'Mortal', status: 'draft' })).slug).toBe('mortal');
  });

  it('a slug that readers never saw leaves no former address', async () => {
    await author.post({ slug: 'never-seen', status: 'draft' });
    await author.call('PUT', '/posts/never-seen', { slug: 'never-seen-either' });
    await author.call('POST', '/posts/never-seen-either/publish', undefined, WAIT);
    expect(await statusOf('never-seen')).toBe(404);
    expect((await author.post({ title: 'Never seen', status: 'draft' })).slug).toBe('never-seen');
  });
});

describe('the response at a former address', () => {
  let home: string;
  beforeAll(async () => {
    home = `http://${author.blogSlug}.localhost:${new URL(platen.origin).port}`;
    await author.post({ slug: 'an-old-one' });
    await move('an-old-one', 'a-new-one');
  });

  it.each([
    ['/an-old-one/', '/a-new-one/'],
    ['/an-old-one', '/a-new-one/'],
    ['/an-old-one/index.html', '/a-new-one/'],
    ['/an-old-one/?page=2&q=%C3%A9', '/a-new-one/?page=2&q=%C3%A9'],
    ['/an-old-one?x', '/a-new-one/?x'],
    ['//an-old-one//?x', '/a-new-one/?x'],
    ['/an-old-one.md?x', '/a-new-one.md?x'],
  ])('a former address redirects in one step and keeps the query: %s', async (path, to) => {
    const { status, headers, text } = await read(path);
    expect([status, headers.get('location')]).toEqual([301, home + to]);
    expect(text).toBe(`This page has moved to ${home}${to}\n`);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('a redirect from a former address is not cached, since the post may move back', async () => {
    const { headers } = await read('/an-old-one/');
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    await move('a-new-one', 'an-old-one');
    expect([await leadsTo('an-old-one'), await leadsTo('a-new-one')]).toEqual([null, '/an-old-one/']);
    await move('an-old-one', 'a-new-one');
    expect([await leadsTo('an-old-one'), await leadsTo('a-new-one')]).toEqual(['/a-new-one/', null]);
  });

  it('HEAD of a former address has the same redirect without a body', async () => {
    const get = await read('/an-old-one/');
    const head = await read('/an-old-one/', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([301, '']);
    const fields = ({ headers }: typeof get) => [...headers].filter(([name]) => name !== 'date');
    expect(fields(head)).toEqual(fields(get));
  });

  it('a former address ignores conditional and range requests', async () => {
    const { headers } = await read('/a-new-one/');
    for (const condition of [
      { 'If-None-Match': headers.get('etag') ?? '' },
      { 'If-None-Match': '*' },
      { 'If-Match': '"another"' },
      { 'If-Modified-Since': new Date().toUTCString() },
      { 'If-Unmodified-Since': new Date(0).toUTCString() },
      { Range: 'bytes=0-3' },
      { 'Accept-Encoding': 'br, gzip' },
    ]) {
      const { status, headers, text } = await read('/an-old-one/', { headers: condition });
      expect([status, headers.get('content-encoding')]).toEqual([301, null]);
      expect(text).toMatch(/^This page has moved to /);
    }
    expect((await read('/an-old-one/', { method: 'POST' })).status).toBe(405);
  });

  it('a former address is a page on the edge that redirects by itself on other web servers', () => {
    const files = readEdge(`${platen.dataDir}/edge`, author.blogSlug);
    const page = files.get('an-old-one/index.html');
    expect(page).toContain(`<meta http-equiv="refresh" content="0; url=${home}/a-new-one/"`);
    expect(page).toContain(`<link rel="canonical" href="${home}/a-new-one/"`);
    expect(files.get('an-old-one.md')).toBe(`This post has moved to <${home}/a-new-one.md>.\n`);
  });
});
