import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWNER_HTML_VERSION } from '../../../../generator/owner-html/version.ts';
import { newAuthor } from '../../../support/author.ts';
import { startTestPlaten, type TestPlaten } from '../../../support/platen.ts';

// Slow: starts a whole server, and has it parse owner HTML that costs as much as the limits allow.

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

const wait = { Prefer: 'wait=60' };

/** 64 KB in which every paragraph reopens 1,500 elements: 18 million elements in a browser. */
const exploding = `<p>${Array.from({ length: 1_500 }, (_, n) => `<b id=${n}>`).join('')}${'<p>x'.repeat(12_000)}`;

describe('owner HTML that would overload a browser', () => {
  it.each(['adCode', 'headerHtml', 'footerHtml'])(
    'hostile owner HTML is refused at once as %s',
    async (key) => {
      const author = await newAuthor(platen, 'creator');
      const began = performance.now();
      const refused = await author.call('PUT', `/blogs/${author.blogId}`, {
        theme_config: { [key]: exploding },
      });
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(refused.status).toBe(400);
      expect(refused.json.message).toMatch(
        new RegExp(`^theme_config.${key}: becomes more than 10,000 elements in a browser`),
      );
      await author.post({ title: 'After', slug: 'after' }, wait);
      expect((await platen.read(author.blogSlug, '/after/')).status).toBe(200);
    },
  );

  it('a refusal of owner HTML leaves the other fields of the request unwritten', async () => {
    const author = await newAuthor(platen, 'creator');
    const theme_config = { headerHtml: '<p>Fine</p>', adCode: exploding };
    const refused = await author.call('PUT', `/blogs/${author.blogId}`, { name: 'New', theme_config });
    expect(refused.status).toBe(400);
    const { json } = await author.call('GET', `/blogs/${author.blogId}`);
    expect(json.name).not.toBe('New');
    expect(json.theme_config).toEqual({});
  });

  it('hostile owner HTML that was saved before the limits existed is left out of pages', async () => {
    const author = await newAuthor(platen, 'creator');
    const { db } = platen.services;
    const theme = { adCode: exploding, headerHtml: '<p id="mine">Mine' };
    await db
      .updateTable('blogs')
      .set({ theme_config: JSON.stringify(theme), owner_html: '{}', owner_html_version: 0 })
      .where('id', '=', author.blogId)
      .execute();
    await author.post({ title: 'A post', slug: 'a-post' }, wait);
    await platen.services.ownerHtmls.renew();
    await author.post({ title: 'Another', slug: 'another' }, wait);
    const { text } = await platen.read(author.blogSlug, '/a-post/');
    expect(text).toContain('<p id="mine">Mine</p>');
    expect(text).not.toContain('class="ad"');
    const stored = await db
      .selectFrom('blogs')
      .select(['owner_html', 'owner_html_version'])
      .where('id', '=', author.blogId)
      .executeTakeFirstOrThrow();
    expect(stored).toEqual({
      owner_html: JSON.stringify({ headerHtml: '<p id="mine">Mine</p>' }),
      owner_html_version: OWNER_HTML_VERSION,
    });
  });
});
