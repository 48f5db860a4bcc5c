import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { type Author, newAuthor } from './author.ts';

const WAIT = { Prefer: 'wait=20' };

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
});
afterAll(() => platen.close());

/** Moves a post, and waits until its readers can follow. */
async function move(from: string, to: string): Promise<void> {
  const { status, headers, text } = await author.call('PUT', `/posts/${from}`, { slug: to }, WAIT);
  expect(status, text).toBe(200);
  expect(headers.get('preference-applied')).toBe('wait=20');
}

/** Where a page sends its readers: the address of a redirect page, or null. */
async function leadsTo(slug: string): Promise<string | null> {
  const { status, text } = await platen.read(author.blogSlug, `/${slug}/`);
  expect(status).toBe(200);
  const refresh = /<meta http-equiv="refresh" content="0; url=([^"]*)"/.exec(text)?.[1] ?? null;
  const canonical = /<link rel="canonical" href="([^"]*)"/.exec(text)?.[1];
  if (refresh !== null) expect(canonical).toBe(refresh);
  return refresh && new URL(refresh).pathname;
}

const statusOf = async (slug: string) => (await platen.read(author.blogSlug, `/${slug}/`)).status;

describe('the old address of a published post', () => {
  it('leads to the new one, through every later move', async () => {
    await author.post({ slug: 'move-1' });
    await move('move-1', 'move-2');
    expect(await leadsTo('move-1')).toBe('/move-2/');
    expect(await leadsTo('move-2')).toBeNull();
    await move('move-2', 'move-3');
    expect(await leadsTo('move-1')).toBe('/move-3/');
    expect(await leadsTo('move-2')).toBe('/move-3/');
    expect(await leadsTo('move-3')).toBeNull();
  });

  it('is the post’s again when it moves back', async () => {
    await author.post({ slug: 'there' });
    await move('there', 'elsewhere');
    await move('elsewhere', 'there');
    expect(await leadsTo('there')).toBeNull();
    expect(await leadsTo('elsewhere')).toBe('/there/');
  });

  it('is kept from generated slugs', async () => {
    await author.post({ slug: 'reserved' });
    await move('reserved', 'reserved-no-more');
    expect((await author.post({ title: 'Reserved', status: 'draft' })).slug).toBe('reserved-2');
  });

  it('goes to a published post that claims it', async () => {
    await author.post({ slug: 'claimed' });
    await move('claimed', 'first-owner');
    await author.post({ slug: 'claimed', content: 'By its second owner.' }, WAIT);
    expect((await platen.read(author.blogSlug, '/claimed/')).text).toContain('By its second owner.');
    await author.call('DELETE', '/posts/claimed', undefined, WAIT);
    expect(await statusOf('claimed')).toBe(404);
  });

  it('is gone when a draft claims it', async () => {
    await author.post({ slug: 'drafted' });
    await move('drafted', 'drafted-on');
    const claimed = await author.post({ slug: 'drafted', status: 'draft' }, WAIT);
    expect(claimed.rebuild_id).toBeDefined();
    expect(await statusOf('drafted')).toBe(404);
    expect(await leadsTo('drafted-on')).toBeNull();
  });

  it('is gone when a draft moves onto it', async () => {
    await author.post({ slug: 'moved-onto' });
    await move('moved-onto', 'moved-away');
    await author.post({ slug: 'waiting', status: 'draft' });
    await move('waiting', 'moved-onto');
    expect(await statusOf('moved-onto')).toBe(404);
  });

  it('goes with the post', async () => {
    await author.post({ slug: 'mortal' });
    await move('mortal', 'mortal-2');
    await author.call('DELETE', '/posts/mortal-2', undefined, WAIT);
    expect([await statusOf('mortal'), await statusOf('mortal-2')]).toEqual([404, 404]);
    expect((await author.post({ title: 'Mortal', status: 'draft' })).slug).toBe('mortal');
  });

  it('is nobody’s where readers never saw it', async () => {
    await author.post({ slug: 'never-seen', status: 'draft' });
    await author.call('PUT', '/posts/never-seen', { slug: 'never-seen-either' });
    await author.call('POST', '/posts/never-seen-either/publish', undefined, WAIT);
    expect(await statusOf('never-seen')).toBe(404);
    expect((await author.post({ title: 'Never seen', status: 'draft' })).slug).toBe('never-seen');
  });
});
