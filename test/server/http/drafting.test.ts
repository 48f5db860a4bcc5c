import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { later } from '../../../server/clock.ts';
import { hashOf } from '../../../server/domain/credential.ts';
import { findPreviewed } from '../../../server/store/previews.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { newAuthor } from './author.ts';
import { expectRefusal } from './expect-refusal.ts';

let platen: TestPlaten;

beforeAll(async () => {
  platen = await startTestPlaten();
});

afterAll(() => platen.close());

describe('POST /markdown', () => {
  test('renders as a post would be, and keeps nothing', async () => {
    const before = (await platen.call('GET', '/posts')).json.pagination.total;
    const content = '# Über uns\n\nTwo **[words](https://example.org/a?b&c)**, [here](/about/).';
    const answer = await platen.call('POST', '/markdown', { content });
    expect(answer.status).toBe(200);
    expect(answer.json.content_html).toContain('<strong><a href=');
    expect(answer.json.headings).toEqual([{ level: 1, id: 'über-uns', text: 'Über uns' }]);
    expect(answer.json).toMatchObject({
      meta_description: 'Two words, here.',
      word_count: 5,
      reading_minutes: 1,
      links: ['https://example.org/a?b&c'],
    });
    expect((await platen.call('GET', '/posts')).json.pagination.total).toBe(before);
  });

  test('tells the minutes that a slow reader takes', async () => {
    const { json } = await platen.call('POST', '/markdown', { content: 'word '.repeat(1_000) });
    expect(json).toMatchObject({ word_count: 1_000, reading_minutes: 5, links: [] });
  });

  test('has the limit that a post has', async () => {
    const fits = await platen.call('POST', '/markdown', { content: 'x'.repeat(1_048_576) });
    expect(fits.status).toBe(200);
    expectRefusal(
      await platen.call('POST', '/markdown', { content: 'x'.repeat(1_048_577) }),
      400,
      /^content: /,
    );
    expectRefusal(await platen.call('POST', '/markdown', {}), 400, /^content: /);
  });
});

describe('POST /posts:batch', () => {
  test('gives each post its own result, in their order', async () => {
    const answer = await platen.call(
      'POST',
      '/posts:batch',
      {
        posts: [
          { title: 'One of many', content: 'x', status: 'published' },
          { title: '' },
          'not a post',
          { title: 'Taken', content: 'x', slug: 'one-of-many' },
          { title: 'Two of many', content: 'x' },
        ],
      },
      { headers: { Prefer: 'wait=10' } },
    );
    expect(answer.status).toBe(200);
    const { results } = answer.json;
    expect(results.map((result: { status: number }) => result.status)).toEqual([201, 400, 400, 409, 201]);
    expect(results[0].post).toMatchObject({ slug: 'one-of-many', status: 'published' });
    expect(results[1].error).toEqual({ error: 'bad_request', message: expect.stringMatching(/^title: /) });
    expect(results[3].error.error).toBe('conflict');
    expect((await platen.read('starter', '/one-of-many/')).status).toBe(200);
  });

  test('takes a hundred posts and not one more, and not none', async () => {
    const posts = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ title: `B ${n}`, content: 'x' }));
    const full = await platen.call('POST', '/posts:batch', { posts: posts(100) });
    expect(full.json.results).toHaveLength(100);
    expectRefusal(await platen.call('POST', '/posts:batch', { posts: posts(101) }), 400, /^posts: .*100/);
    expectRefusal(await platen.call('POST', '/posts:batch', { posts: [] }), 400, /^posts: /);
  });

  test('is part of the scale plan', async () => {
    const body = { posts: [{ title: 'A', content: 'x' }] };
    const creator = await newAuthor(platen, 'creator');
    const refused = await creator.call('POST', '/posts:batch', body);
    expect([refused.status, refused.json.upgrade_url]).toEqual([403, expect.stringMatching(/^http/)]);
    const scale = await newAuthor(platen, 'scale');
    expect((await scale.call('POST', '/posts:batch', body)).status).toBe(200);
  });
});

describe('revisions', () => {
  const write = (fields: object) => platen.call('PUT', '/posts/revised', fields);

  test('keep every earlier state, newest first, and can be brought back', async () => {
    await platen.call('POST', '/posts', { title: 'First', content: 'One.', slug: 'revised', tags: ['a'] });
    await write({ content: 'Two.', tags: ['b'], meta: { description: 'Given.' } });
    await write({ title: 'Third' });
    const list = (await platen.call('GET', '/posts/revised/revisions')).json.data;
    expect(list.map((revision: { title: string }) => revision.title)).toEqual(['First', 'First']);

    const oldest = await platen.call('GET', `/posts/revised/revisions/${list[1].id}`);
    expect(oldest.json).toMatchObject({
      title: 'First',
      content_md: 'One.',
      tags: ['a'],
      meta: { description: null, og_image: null },
    });
    const restored = await platen.call('POST', `/posts/revised/revisions/${list[1].id}/restore`);
    expect(restored.json).toMatchObject({
      title: 'First',
      content_md: 'One.',
      tags: ['a'],
      meta_description: 'One.',
    });
    expect((await platen.call('GET', '/posts/revised/revisions')).json.data).toHaveLength(3);
  });

  test('are kept fifty to a post', async () => {
    await platen.call('POST', '/posts', { title: 'Many', content: 'x', slug: 'many' });
    for (let n = 0; n < 52; n++) await platen.call('PUT', '/posts/many', { title: `Many ${n}` });
    const { data } = (await platen.call('GET', '/posts/many/revisions')).json;
    expect(data).toHaveLength(50);
    expect(data[0].title).toBe('Many 50');
  });

  test('of another post or account are not found', async () => {
    await write({ title: 'Changed' });
    const [{ id }] = (await platen.call('GET', '/posts/revised/revisions')).json.data;
    expectRefusal(await platen.call('GET', `/posts/many/revisions/${id}`), 404, /revision/);
    const other = await newAuthor(platen);
    await other.post({ title: 'Mine', slug: 'revised' });
    expectRefusal(await other.call('POST', `/posts/revised/revisions/${id}/restore`), 404, /revision/);
  });
});

describe('a preview link', () => {
  test('shows a draft to whoever has it, runs nothing, and is kept out of indexes and caches', async () => {
    await platen.call('POST', '/posts', {
      title: 'Not <yet>',
      content: 'Soon.',
      slug: 'not-yet',
      tags: ['t'],
    });
    const made = await platen.call('POST', '/posts/not-yet/preview', {});
    expect(made.status).toBe(201);
    const page = await fetch(made.json.url);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain('<h1 dir="auto">Not &lt;yet></h1>');
    expect(html).toContain('Soon.');
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(page.headers.get('cache-control')).toContain('no-store');
    expect(page.headers.get('content-security-policy')).toContain('sandbox');
    expect((await platen.read('starter', '/not-yet/')).status).toBe(404);
  });

  test('works for as many days as asked for, one to thirty', async () => {
    const { services } = platen;
    const made = await platen.call('POST', '/posts/not-yet/preview', { expires_in: 2 });
    const hash = hashOf(made.json.url.split('/').pop());
    expect(await findPreviewed(services.db, hash, later(made.json.expires_at, -1))).not.toBeNull();
    expect(await findPreviewed(services.db, hash, made.json.expires_at)).toBeNull();
    expect(Date.parse(made.json.expires_at) - Date.now()).toBeGreaterThan(47 * 3_600_000);
    for (const [days, status] of [
      [1, 201],
      [30, 201],
      [0, 400],
      [31, 400],
      [1.5, 400],
      ['2', 400],
    ]) {
      const answer = await platen.call('POST', '/posts/not-yet/preview', { expires_in: days });
      expect([days, answer.status]).toEqual([days, status]);
    }
  });

  test('that nobody made leads nowhere', async () => {
    const page = await fetch(`${platen.origin}/preview/${'a'.repeat(32)}`);
    expect(page.status).toBe(404);
  });
});
