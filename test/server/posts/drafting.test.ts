// Slow: starts a server; many requests wait for a rebuild, and one batch has a hundred posts.
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashSecret } from '../../../server/access/credential.ts';
import { findPreviewed } from '../../../server/previews/store.ts';
import { addMilliseconds } from '../../../server/runtime/clock.ts';
import { newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;

beforeAll(async () => {
  platen = await startTestPlaten();
});

afterAll(() => platen.close());

describe('POST /markdown', () => {
  test('POST /markdown renders as for a post, and stores nothing', async () => {
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

  test('POST /markdown returns the reading time of a slow reader', async () => {
    const { json } = await platen.call('POST', '/markdown', { content: 'word '.repeat(1_000) });
    expect(json).toMatchObject({ word_count: 1_000, reading_minutes: 5, links: [] });
  });

  test('POST /markdown has the limit of a post', async () => {
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
  test('a batch returns a result for each post, in order', async () => {
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
      { headers: { Prefer: 'wait=60' } },
    );
    expect(answer.status).toBe(200);
    const { results } = answer.json;
    expect(results.map((result: { status: number }) => result.status)).toEqual([201, 400, 400, 409, 201]);
    expect(results[0].post).toMatchObject({ slug: 'one-of-many', status: 'published' });
    expect(results[1].error).toEqual({
      error: 'bad_request',
      message: 'title: must not be empty\ncontent: is missing',
      errors: [
        { field: 'title', message: 'must not be empty' },
        { field: 'content', message: 'is missing' },
      ],
    });
    expect(results[3].error.error).toBe('conflict');
    expect((await platen.read('starter', '/one-of-many/')).status).toBe(200);
  });

  test('an unknown field of one post is named by its path, and refuses the whole batch if that is strict', async () => {
    const body = {
      posts: [
        { title: 'Strictly one', content: 'x' },
        { titel: 'T', title: 'T', content: 'x' },
      ],
    };
    const headers = { Prefer: 'handling=strict' };
    const refused = await platen.call('POST', '/posts:batch', body, { headers });
    expectRefusal(refused, 400, /^posts\[1\]\.titel: is not a field of posts\[1\]: did you mean `title`\?$/);
    expect((await platen.call('GET', '/posts/strictly-one')).status).toBe(404);
    const { json } = await platen.call('POST', '/posts:batch', body);
    expect(json.warnings).toEqual(['`titel` is not a field of posts[1]: did you mean `title`?']);
    expect(json.results.map(({ status }: { status: number }) => status)).toEqual([201, 201]);
  });

  test('a language that nobody knows is a warning, and refuses the whole batch if that is strict', async () => {
    const body = {
      posts: [
        { title: 'Strictly known', content: 'x' },
        { title: 'Unknown', content: 'x', language: 'english' },
      ],
    };
    const headers = { Prefer: 'handling=strict' };
    const refused = await platen.call('POST', '/posts:batch', body, { headers });
    expectRefusal(
      refused,
      400,
      /^posts\[1\]\.language: is no language tag that is known: did you mean `en`\?$/,
    );
    expect((await platen.call('GET', '/posts/strictly-known')).status).toBe(404);
    const { json } = await platen.call('POST', '/posts:batch', body);
    expect(json.warnings).toEqual([expect.stringMatching(/^posts\[1\]\.language: /)]);
    expect(json.results.map(({ status }: { status: number }) => status)).toEqual([201, 201]);
  });

  test('a batch has 1 to 100 posts', async () => {
    const posts = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ title: `B ${n}`, content: 'x' }));
    const full = await platen.call('POST', '/posts:batch', { posts: posts(100) });
    expect(full.json.results).toHaveLength(100);
    expectRefusal(await platen.call('POST', '/posts:batch', { posts: posts(101) }), 400, /^posts: .*100/);
    expectRefusal(await platen.call('POST', '/posts:batch', { posts: [] }), 400, /^posts: /);
  });

  test('batches are part of the scale plan', async () => {
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

  test('revisions hold every earlier state, newest first, and can be restored', async () => {
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

  test('a post keeps fifty revisions', async () => {
    await platen.call('POST', '/posts', { title: 'Many', content: 'x', slug: 'many' });
    for (let n = 0; n < 52; n++) await platen.call('PUT', '/posts/many', { title: `Many ${n}` });
    const { data } = (await platen.call('GET', '/posts/many/revisions')).json;
    expect(data).toHaveLength(50);
    expect(data[0].title).toBe('Many 50');
  });

  test('revisions of another post or account are not found', async () => {
    await write({ title: 'Changed' });
    const [{ id }] = (await platen.call('GET', '/posts/revised/revisions')).json.data;
    expectRefusal(await platen.call('GET', `/posts/many/revisions/${id}`), 404, /revision/);
    const other = await newAuthor(platen);
    await other.post({ title: 'Mine', slug: 'revised' });
    expectRefusal(await other.call('POST', `/posts/revised/revisions/${id}/restore`), 404, /revision/);
  });
});

describe('a preview link', () => {
  test('a preview link shows a draft to anybody who has it, runs no scripts, and is not indexed or cached', async () => {
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

  test('links on a preview lead to the blog, and links within the post stay on the preview', async () => {
    const slug = 'previewed';
    const other = { title: 'Other', content: 'x', slug: 'other', tags: ['t'], status: 'published' };
    await platen.call('POST', '/posts', other, { headers: { Prefer: 'wait=60' } });
    const content = [
      '[[toc]]\n\n## Part\n\n[a](/other/) [b](../other/) [c](/archive/#x) [d](#part) [e](https://example.org/)',
      '![f](/og/none.png) <img src="g.png" srcset="/h.png 2x" alt="">\n\n> a[^1]\n\n[^1]: b',
      '```html\n<a href="/in-code/">\n```',
    ].join('\n\n');
    const translations = { de: 'other', ja: 'https://example.org/ja/' };
    await platen.call('POST', '/posts', { title: 'P', content, slug, tags: ['t'], translations });
    const made = await platen.call('POST', `/posts/${slug}/preview`, {});
    const html = await (await fetch(made.json.url)).text();

    const blogUrl = new URL((await platen.call('GET', `/posts/${slug}`)).json.url).origin;
    const addresses = new Set(addressesIn(html));
    const found = { onPage: 0, onBlog: new Set<string>(), elsewhere: new Set<string>() };
    for (const address of addresses) {
      if (address.startsWith('#')) {
        expect(html).toContain(` id="${address.slice(1)}"`);
        found.onPage += 1;
      } else if (address.startsWith(`${blogUrl}/`)) {
        found.onBlog.add(new URL(address).pathname);
      } else found.elsewhere.add(address.slice(0, 20));
    }
    expect(found.onPage).toBe(4);
    expect([...found.elsewhere].sort()).toEqual(['data:image/svg+xml,%', 'https://example.org/']);
    // Neither the post itself nor the files that it names are there yet.
    const missing = ['/previewed/', '/previewed.md', '/og/none.png', '/previewed/g.png', '/h.png'];
    const paths = ['/', '/archive/', '/feed.json', '/feed.xml', '/other/', '/rss.xml', '/search/', '/tags/'];
    expect([...found.onBlog].sort()).toEqual([...paths, '/tags/t/', ...missing].sort());
    for (const path of [...paths, '/tags/t/']) {
      expect([path, (await platen.read('starter', path)).status]).toEqual([path, 200]);
    }
    expect(html).toContain('/in-code/');
  });

  test('a preview link works for the requested number of days, one to thirty', async () => {
    const { services } = platen;
    const made = await platen.call('POST', '/posts/not-yet/preview', { expires_in: 2 });
    const hash = hashSecret(made.json.url.split('/').pop());
    expect(await findPreviewed(services.db, hash, addMilliseconds(made.json.expires_at, -1))).not.toBeNull();
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
      if (days === 31) expectRefusal(answer, 400, /^expires_in: must be at most 30 days/);
    }
  });

  test('an unknown preview link is not found', async () => {
    const page = await fetch(`${platen.origin}/preview/${'a'.repeat(32)}`);
    expect(page.status).toBe(404);
  });
});

/** Every address in the document, as browsers without scripts read it. */
function* addressesIn(html: string): Generator<string> {
  const waiting: DefaultTreeAdapterTypes.ParentNode[] = [parse(html, { scriptingEnabled: false })];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const child of node.childNodes) {
      if ('childNodes' in child) waiting.push(child);
      if (!('attrs' in child)) continue;
      const named = child.attrs.filter(({ name }) =>
        ['href', 'src', 'srcset', 'cite', 'action'].includes(name),
      );
      for (const { value } of named) yield value.replace(/ .*/, '');
    }
  }
}
