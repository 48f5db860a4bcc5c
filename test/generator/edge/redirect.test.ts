import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildEverything } from '../../../generator/build.ts';
import { openFilesystemEdge } from '../../../generator/edge/filesystem.ts';
import { isRedirectPage, redirectTargetOf, withQuery } from '../../../generator/edge/redirect.ts';
import type { FramePages } from '../../../generator/layouts/frame-pages.ts';
import { redirectHtml } from '../../../generator/render/redirect-html.ts';
import { createRenderer } from '../../../generator/render/renderer.ts';
import { memoryManifest } from '../../support/manifest.ts';
import { publishedPosts, type SiteParts, siteOf } from '../../support/site.ts';
import { readEdge } from '../../support/site-builder.ts';

/** The start of a redirect page, which an owner's or author's text must never reach. */
const page = (to: string) =>
  `<!doctype html> <html lang="en" dir="ltr"><head><meta charset="utf-8"/> <meta http-equiv="refresh" content="0; url=${to}"/> <title>`;
const text = (to: string) => `This post has moved to <${to}>.\n`;

/** Target of each file of a built blog that only redirects. */
async function redirectsOf(parts: SiteParts, framePages: FramePages = async () => new Map()) {
  const folder = mkdtempSync(join(tmpdir(), 'platen-redirects-'));
  const renderer = createRenderer({ framePages });
  const site = siteOf(parts);
  await buildEverything({
    site,
    edge: await openFilesystemEdge(folder),
    manifest: memoryManifest(),
    renderer,
    isRetry: false,
  });
  await renderer.close();
  const files = readEdge(folder, site.blog.folder);
  rmSync(folder, { recursive: true });
  expect(files.size).toBeGreaterThan(20);
  return Object.fromEntries(
    [...files].flatMap(([path, content]) => {
      const to = redirectTargetOf(Buffer.from(content));
      return to === null ? [] : [[path, to]];
    }),
  );
}

test('a build makes redirects of former addresses and of nothing else', async () => {
  const posts = publishedPosts(3);
  expect(await redirectsOf({ posts, redirects: { old: 'post-1', older: 'post-3' } })).toEqual({
    'old/index.html': 'https://ink.example.com/post-1/',
    'old.md': 'https://ink.example.com/post-1.md',
    'older/index.html': 'https://ink.example.com/post-3/',
    'older.md': 'https://ink.example.com/post-3.md',
  });
});

test('an owner’s redirect is complete with the longest target, and is a page whatever its name', async () => {
  const to = `https://elsewhere.example/?${'&'.repeat(1_474)}`;
  const posts = publishedPosts(1);
  const ownerRedirects = { 'old.php': to, 'x/index.html': '/post-1/?q=1#a' };
  const page = Buffer.from(redirectHtml(to));
  expect(isRedirectPage(page)).toBe(true);
  expect(isRedirectPage(Buffer.from(text(to)))).toBe(false);
  expect(await redirectsOf({ posts, ownerRedirects })).toEqual({
    'old.php': to,
    'x/index.html': 'https://ink.example.com/post-1/?q=1#a',
  });
});

test.each([
  ['https://x.example/a', '', 'https://x.example/a'],
  ['https://x.example/a', '?', 'https://x.example/a'],
  ['https://x.example/a', '?q=1', 'https://x.example/a?q=1'],
  ['https://x.example/a?p', '?q=1', 'https://x.example/a?p&q=1'],
  ['https://x.example/a#b?c', '?q=1', 'https://x.example/a?q=1#b?c'],
  ['https://x.example/a?p#b', '?q=1', 'https://x.example/a?p&q=1#b'],
])('the query of a request is added to the target %s', (target, query, expected) => {
  expect(withQuery(target, query)).toBe(expected);
});

test('a redirect address of any length and script is complete and valid in a header', async () => {
  const slug = `a&b-${'鬱😀'.repeat(30)}`;
  const redirects = await redirectsOf({
    posts: publishedPosts(1, () => ({ slug })),
    redirects: { old: slug },
    blog: { url: 'https://bücher.example:8443/' },
  });
  expect(redirects).toEqual({
    'old/index.html': `https://xn--bcher-kva.example:8443/${encodeURIComponent(slug)}/`,
    'old.md': `https://xn--bcher-kva.example:8443/${encodeURIComponent(slug)}.md`,
  });
});

test.each([page('https://evil.example/'), text('https://evil.example/')])(
  'no text of owners and authors makes a redirect: %s',
  async (hostile) => {
    const posts = publishedPosts(3, (n) => ({
      title: n === 1 ? hostile : 'Moved',
      description: n === 1 ? hostile : '',
      lang: 'en',
      html: hostile,
      source: hostile,
      tags: [{ label: hostile, slug: 'tag' }],
      translations: [{ lang: 'de', url: '/post-1/' }],
    }));
    const blog = {
      name: hostile,
      description: hostile,
      customCss: hostile,
      ownerHtml: { header: hostile, footer: hostile, ad: hostile },
      layout: 'hostile',
      indexable: false,
      badge: false,
    };
    const recent = {
      hasSearchIndex: false,
      isComplete: true,
      removedIds: [],
      posts,
      texts: posts.map(() => hostile),
    };
    const framed: FramePages = async (views) =>
      new Map(
        views.flatMap((view) => (view.layout === 'redirect' ? [] : [[view, [hostile, hostile]] as const])),
      );
    const leading = {
      'old/index.html': 'https://ink.example.com/post-1/',
      'old.md': 'https://ink.example.com/post-1.md',
    };
    for (const framePages of [undefined, framed]) {
      expect(await redirectsOf({ posts, redirects: { old: 'post-1' }, blog, recent }, framePages)).toEqual(
        leading,
      );
    }
  },
);

test.each(['en', 'ar', 'zh-Hant-TW'])('a redirect page in the language %s is one', async (language) => {
  const { settings } = siteOf({ posts: [] }).blog;
  const posts = publishedPosts(1);
  const blog = { settings: { ...settings, language } };
  expect(await redirectsOf({ posts, redirects: { old: 'post-1' }, blog })).toMatchObject({
    'old/index.html': 'https://ink.example.com/post-1/',
  });
});

test.each([
  ['no content', ''],
  ['text before it', ` ${page('https://ink.example/')}`],
  ['no language', page('https://ink.example/').replace('lang="en"', 'lang=""')],
  ['another direction', page('https://ink.example/').replace('dir="ltr"', 'dir="auto"')],
  ['no end', `${page('https://ink.example/').split('"/> <title>')[0]}${'a'.repeat(100_000)}`],
  ['a relative address', page('/post/')],
  ['a javascript: address', page('javascript:alert(1)')],
  ['text after it', `${text('https://ink.example/a.md')}More.`],
  ['bytes of an image', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['bytes that are not text', Buffer.alloc(10_000, 0xff)],
])('a file is no redirect with %s', (_what, content) => {
  expect(redirectTargetOf(Buffer.from(content))).toBeNull();
});

test('a redirect address cannot break out of a header', () => {
  expect(redirectTargetOf(Buffer.from(page('https://ink.example/a\r\nSet-Cookie: b=c')))).toBe(
    'https://ink.example/aSet-Cookie:%20b=c',
  );
});

test('a redirect is read at the right offset of a larger buffer', () => {
  const around = Buffer.from(`xxxx${page('https://ink.example/a/?b=1&amp;c=2')}</title>`);
  expect(redirectTargetOf(new Uint8Array(around.buffer, around.byteOffset + 4, around.length - 4))).toBe(
    'https://ink.example/a/?b=1&c=2',
  );
});
