import type { Response as ExpressResponse } from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRateLimit } from '../../../server/http/rate-limit.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { photo } from '../../support/pictures.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

// Slow: starts a server, and renders large posts as previews.

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten({ PLATEN_TRUST_PROXY: '1' });
  author = await newAuthor(platen, 'enterprise');
});
afterAll(() => platen.close());

async function linkTo(slug: string): Promise<string> {
  const { status, json } = await author.call('POST', `/posts/${slug}/preview`, { expires_in: 3 });
  expect(status).toBe(201);
  return json.url;
}

let addresses = 0;
/** Opens a preview from an address of its own. */
function look(url: string): Promise<Response> {
  addresses += 1;
  return fetch(url, { headers: { 'X-Forwarded-For': `10.0.${addresses >> 8}.${addresses & 255}` } });
}

it('a preview says that it is one, and until when it works', async () => {
  await author.post({ slug: 'soon', title: 'Soon', content: 'Not yet.', status: 'draft' });
  const html = await (await look(await linkTo('soon'))).text();
  const day = new Date(Date.now() + 3 * 86_400_000).toLocaleDateString('en', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  expect(html).toMatch(
    new RegExp(`<body[^>]*><aside lang="en"[^>]* aria-label="Preview"[^>]*>.*until ${day}\\.</aside>`),
  );
});

it('a preview shows the current post after every change of it or of its blog', async () => {
  await author.post({ slug: 'changing', title: 'Changing', content: 'First words.', status: 'draft' });
  const url = await linkTo('changing');
  const shown = async () => (await look(url)).text();
  expect(await shown()).toContain('First words.');
  await author.call('PUT', '/posts/changing', { content: 'Second words.' });
  expect(await shown()).toContain('Second words.');
  await author.call('PUT', `/blogs/${author.blogId}`, { name: 'Another name' });
  expect(await shown()).toContain('Another name');
});

it('a preview shows the icon of its blog as soon as that is made, and the default one when it is gone', async () => {
  await author.post({ slug: 'with-icon', title: 'With icon', content: 'Words.', status: 'draft' });
  const url = await linkTo('with-icon');
  const icon = async () => /<img class="logo" src="([^"]*)"/.exec(await (await look(url)).text())?.[1];
  expect(await icon()).toBeUndefined();
  const data = (await (await photo(96, 96)).png().toBuffer()).toString('base64');
  const upload = { data, content_type: 'image/png', filename: 'icon' };
  const image = (await author.call('POST', '/upload', upload)).json.url;
  await author.call('PUT', `/blogs/${author.blogId}`, { settings: { icon: image } });
  await icon();
  await expect.poll(icon, { interval: 100 }).toBe(image.replace('.png', '-96.png'));
  await author.call('PUT', `/blogs/${author.blogId}`, { settings: { icon: null } });
  expect(await icon()).toBeUndefined();
});

it('a preview is rendered once for any number of views, and delays no other request', async () => {
  const line = 'Some [words](https://example.org/) of *a* long `post`, and **more** of them.\n\n';
  const content = line.repeat(Math.floor(1_000_000 / line.length / 4));
  await author.post({ slug: 'long', title: 'Long', content, status: 'draft' });
  const url = await linkTo('long');
  const ends: number[] = [];
  let isOver = false;
  const beside = (async () => {
    while (!isOver) {
      const began = performance.now();
      await fetch(`${platen.origin}/healthz`);
      ends.push(performance.now() - began);
    }
  })();
  const pages = await Promise.all(Array.from({ length: 10 }, async () => (await look(url)).text()));
  isOver = true;
  await beside;
  expect(new Set(pages).size).toBe(1);
  expect(pages[0]?.length).toBeGreaterThan(content.length);
  ends.sort((a, b) => a - b);
  // Rendered on the serving thread, one of these pages would take longer than this.
  expect(ends.at(-1)).toBeLessThan(400);
  const again: number[] = [];
  for (let view = 0; view < 5; view += 1) {
    const began = performance.now();
    await (await look(url)).text();
    again.push(performance.now() - began);
  }
  // The machine may pause during one of them.
  expect(Math.min(...again)).toBeLessThan(200);
});

it('an unknown preview is reported as a page to people and as an error to programs', async () => {
  const url = `${platen.origin}/preview/${'x'.repeat(32)}`;
  const page = await fetch(url, { headers: { Accept: 'text/html,application/xhtml+xml' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('<h1>This preview does not exist or has expired</h1>');
  const error = await fetch(url, { headers: { Accept: '*/*' } });
  expect([error.status, await error.text()]).toEqual([404, expect.stringContaining('"error":"not_found"')]);
});

it('an address with too many requests is refused before the link is looked up', async () => {
  const rateLimit = createRateLimit(platen.services.config.tiers);
  const res = { set() {} } as unknown as ExpressResponse;
  const take = (link: string, address: string) => rateLimit.consumePreview(link, address, res);
  for (let n = 0; n < 600; n += 1) await take(`link-${n}`, '192.0.2.7');
  for (let n = 0; n < 3_000; n += 1)
    await expect(take('popular', '192.0.2.7')).rejects.toThrow(/for previews, an address/);
  // Had the refused requests counted against the link, nobody could open it for an hour.
  await expect(take('popular', '192.0.2.8')).resolves.toBeUndefined();
});

it('a preview has a limit for each address and one for all addresses', async () => {
  await author.post({ slug: 'popular', title: 'Popular', content: 'x', status: 'draft' });
  const url = await linkTo('popular');
  const again = () => fetch(url, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
  for (let n = 0; n < 600; n += 1) expect((await again()).status).toBe(200);
  const refused = await again();
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await look(url)).status).toBe(200);
});
