// Slow: starts a server, and builds several blogs with every kind of page.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TierName } from '../../../../server/tiers/tier.ts';
import { type Author, newAuthor } from '../../../support/author.ts';
import { startTestPlaten, type TestPlaten } from '../../../support/platen.ts';
import { readEdge } from '../../../support/site-builder.ts';

let platen: TestPlaten;
beforeAll(async () => {
  platen = await startTestPlaten();
});
afterAll(() => platen.close());

const wait = { Prefer: 'wait=60' };
const own = {
  headerHtml: '<!-- ours --><p id="own-header">Above<b>',
  footerHtml: '<script>own = 1</script><p id="own-footer">Below',
  adCode: '</aside></main><p id="own-ad">Buy',
};
const pages = ['/', '/page/1/', '/a-post/', '/tags/ink/', '/tags/', '/archive/', '/search/', '/nowhere/'];
const withAd = ['/', '/page/1/', '/a-post/', '/tags/ink/'];

/** A blog with every kind of page, a redirect included. */
async function newBlog(tier: TierName): Promise<Author> {
  const author = await newAuthor(platen, tier);
  const posts = Array.from({ length: 11 }, (_, n) => ({ title: `P ${n}`, content: 'x', tags: ['ink'] }));

  for (const post of posts) await author.post(post);
  await author.post({ slug: 'old-post', tags: ['ink'] });
  await author.call('PUT', '/posts/old-post', { slug: 'a-post' }, wait);
  return author;
}

const setTheme = (author: Author, theme: object) =>
  author.call('PUT', `/blogs/${author.blogId}`, { theme_config: theme }, wait);
const read = (author: Author, path: string) => platen.read(author.blogSlug, path);
const policyAt = async (author: Author, path: string) =>
  (await read(author, path)).headers.get('content-security-policy') ?? '';

describe('the HTML of a blog’s owner', () => {
  let author: Author;
  beforeAll(async () => {
    author = await newBlog('creator');
    expect((await setTheme(author, own)).status).toBe(200);
  });

  it.each(pages)('owner HTML is closed and in its places on the page %s', async (path) => {
    const { text } = await read(author, path);
    const body = text.slice(text.indexOf('<body>'));
    const at = (part: string) => body.indexOf(part);
    expect(body).toContain('<div class="above"><!-- ours --><p id="own-header">Above<b></b></p></div>');
    expect(body).toMatch(
      /<script>own = 1<\/script><p id="own-footer">Below<\/p><\/div>\s*<\/body>\s*<\/html>$/,
    );
    expect(at('class="skip"')).toBeLessThan(at('own-header'));
    expect(at('own-header')).toBeLessThan(at('class="masthead"'));
    expect(at('class="colophon"')).toBeLessThan(at('own-footer'));
    const ad =
      /<aside class="ad" aria-label="Advertisement">\s*<div lang="en"><p id="own-ad">Buy<\/p><\/div>\s*<\/aside>/;
    expect(ad.test(body)).toBe(withAd.includes(path));
    if (withAd.includes(path)) expect(at('own-ad')).toBeLessThan(at('</main>'));
  });

  it('owner HTML is left out of redirects, feeds and Markdown', async () => {
    const files = readEdge(`${platen.dataDir}/edge`, author.blogSlug);
    expect(files.get('old-post/index.html')).toContain('http-equiv="refresh"');
    for (const path of [
      'old-post/index.html',
      'feed.xml',
      'rss.xml',
      'feed.json',
      'a-post.md',
      'llms-full.txt',
    ]) {
      expect(files.has(path), path).toBe(true);
      expect(files.get(path), path).not.toContain('own-');
    }
  });

  it('owner HTML is left out of previews, which are on the API’s host', async () => {
    await author.post({ slug: 'a-draft', status: 'draft' });
    const { json } = await author.call('POST', '/posts/a-draft/preview', {});
    const preview = await fetch(json.url);
    expect(preview.status).toBe(200);
    expect(await preview.text()).not.toContain('own-');
  });

  it('owner HTML opens the policy of its own blog only', async () => {
    const other = await newAuthor(platen, 'creator');
    await other.post({ slug: 'a-post' }, wait);
    for (const path of [...pages, '/feed.xml']) {
      expect(await policyAt(author, path)).toContain("'unsafe-inline' 'unsafe-eval'");
      expect(await policyAt(other, path)).toContain("default-src 'none'");
    }
    await setTheme(author, { headerHtml: null, footerHtml: null });
    expect(await policyAt(author, '/')).toContain("'unsafe-eval'");
    await setTheme(author, { adCode: null });
    expect(await policyAt(author, '/')).toContain("default-src 'none'");
    expect(await policyAt(author, '/')).toBe(await policyAt(other, '/'));
    expect((await read(author, '/')).text).not.toContain('own-');
    await setTheme(author, own);
  });
});

it('owner HTML leaves the pages when the account moves to a plan without it, and returns with the plan', async () => {
  const author = await newBlog('creator');
  await setTheme(author, { ...own, customCss: '.own-css {}' });
  const shown = async () => {
    const { text } = await read(author, '/a-post/');
    return ['own-header', 'own-footer', 'own-ad', 'own-css'].filter((part) => text.includes(part));
  };
  expect(await shown()).toHaveLength(4);
  const account = await platen.services.db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', author.accountId)
    .executeTakeFirstOrThrow();
  const move = (tier: TierName) => platen.services.accounts.setTier(account.email, tier);
  await move('starter');
  await expect.poll(shown).toEqual(['own-ad', 'own-css']);
  await move('free');
  await expect.poll(shown).toEqual([]);
  await expect.poll(() => policyAt(author, '/')).toContain("default-src 'none'");
  await move('creator');
  await expect.poll(shown).toHaveLength(4);
});

describe('the headers file of a blog', () => {
  let author: Author;
  let file: string;
  beforeAll(async () => {
    author = await newAuthor(platen);
    await author.post({ slug: 'a-post' }, wait);
    file = join(platen.dataDir, 'edge', 'sites', author.blogSlug, '_headers');
  });

  it.each([
    '/_headers',
    '/%5Fheaders',
    '/./_headers',
    '//_headers',
    '/x/../_headers',
    '/_headers?a',
    '/_HEADERS',
    '/_headers/',
  ])('the headers file is never served: %s', async (path) => {
    const { status, text } = await read(author, path);
    expect([status, text.includes('Content-Security-Policy')]).toEqual([404, false]);
  });

  it('the server sends the headers of the file, and reads it again after a change', async () => {
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, '/*\n  X-Own: one\n');
    const { headers } = await read(author, '/a-post/');
    expect([headers.get('x-own'), headers.has('content-security-policy')]).toEqual(['one', false]);
    writeFileSync(file, '/*\n  X-Own: one\n\n/a-post/*\n  X-Two: two\n');
    expect((await read(author, '/a-post/')).headers.get('x-two')).toBe('two');
    expect((await read(author, '/')).headers.has('x-two')).toBe(false);
    writeFileSync(file, before);
    expect((await read(author, '/')).headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('the strict headers replace a missing headers file', async () => {
    const before = await policyAt(author, '/');
    const { headers } = await platen.read('nobody', '/');
    expect(headers.get('content-security-policy')).toBe(before);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  });
});
