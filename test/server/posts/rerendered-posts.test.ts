// Slow: starts a server with outdated posts, and waits until it has rendered and rebuilt them all.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MARKDOWN_VERSION } from '../../../generator/markdown/version.ts';
import { type Answer, startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

const get = (slug: string) => platen.call('GET', `/posts/${slug}`);
const page = async (slug: string) => (await platen.read('starter', `/${slug}/`)).text;
const found = async (q: string) => (await platen.call('GET', `/search?q=${q}`)).json.data.length;

/** Sets posts as an update of Platen finds them, with HTML of another renderer. */
const age = (slugs: readonly string[], source: string) =>
  platen.services.db
    .updateTable('post_contents')
    .set({ source, renderer_version: MARKDOWN_VERSION - 1 })
    .where('post_id', 'in', (eb) => eb.selectFrom('posts').select('id').where('slug', 'in', slugs))
    .execute();

describe('posts with HTML of an older renderer', () => {
  const slugs = ['shown', 'drafted'];
  let before: Answer;
  let feedBefore: string;
  beforeAll(async () => {
    for (const [slug, status] of [
      ['shown', 'published'],
      ['drafted', 'draft'],
    ]) {
      const post = { title: 'A title', slug, content: 'Former words.', status };
      await platen.call('POST', '/posts', post, { headers: { Prefer: 'wait=60' } });
    }
    before = await get('shown');
    feedBefore = (await platen.read('starter', '/feed.xml')).text;
    expect(await page('shown')).toContain('<p>Former words.</p>');
    await age(slugs, '## Freshly\n\nLatter words.');
  });

  it('outdated posts are rendered again by the scheduler, published or not', async () => {
    for (const slug of slugs) {
      await expect
        .poll(async () => (await get(slug)).json)
        .toMatchObject({
          content_html: expect.stringContaining('<p>Latter words.</p>'),
          meta_description: 'Latter words.',
        });
    }
  });

  it('outdated posts are rebuilt, and found by their new headings', async () => {
    await expect.poll(() => page('shown')).toContain('<p>Latter words.</p>');
    expect(await page('shown')).toContain('content="Latter words."');
    expect([await found('freshly'), await found('former')]).toEqual([1, 0]);
  });

  it('outdated posts keep their time of change', async () => {
    const { json } = await get('shown');
    expect(json.updated_at).toBe(before.json.updated_at);
    const moments = (text: string) => text.match(/<updated>.*?<\/updated>/g);
    await expect.poll(async () => (await platen.read('starter', '/feed.xml')).text).toContain('Latter');
    expect(moments((await platen.read('starter', '/feed.xml')).text)).toEqual(moments(feedBefore));
    expect((await platen.call('GET', '/posts/shown/revisions')).json.data).toEqual([]);
  });

  it('outdated posts have a new entity tag, and the old one still allows a change', async () => {
    const tag = before.headers.get('etag') ?? '';
    const headers = { 'If-None-Match': tag };
    expect((await platen.call('GET', '/posts/shown', undefined, { headers })).status).toBe(200);
    const change = { headers: { 'If-Match': tag } };
    expect((await platen.call('PUT', '/posts/shown', { title: 'Changed' }, change)).status).toBe(200);
  });
});
