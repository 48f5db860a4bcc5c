import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { HtmlView, Page } from '../../../generator/page.ts';
import { createRenderer } from '../../../generator/render/renderer.ts';
import { blog, listView, notFoundView, post, postView, summary } from './views.ts';

const renderer = createRenderer();

const pages: readonly Page[] = [
  {
    key: 'feed::atom',
    path: 'feed.xml',
    stage: 'feeds',
    body: { kind: 'feed', feed: { format: 'atom', blog, tag: null, posts: [post] } },
  },
  {
    key: 'post:1',
    path: 'a/index.html',
    stage: 'posts',
    body: { kind: 'html', view: postView({ title: 'First' }) },
  },
  { key: 'blog:robots', path: 'robots.txt', stage: 'feeds', body: { kind: 'text', text: 'User-agent: *\n' } },
  { key: 'list::first', path: 'index.html', stage: 'lists', body: { kind: 'html', view: listView() } },
  {
    key: 'sitemap:1',
    path: 'sitemap-1.xml',
    stage: 'feeds',
    body: { kind: 'sitemap', urls: [{ url: 'https://ink.example.com/a/', lastmod: null }] },
  },
  {
    key: 'sitemap:index',
    path: 'sitemap.xml',
    stage: 'feeds',
    body: { kind: 'sitemap-index', urls: ['https://ink.example.com/sitemap-1.xml'] },
  },
  {
    key: 'post:2',
    path: 'b/index.html',
    stage: 'posts',
    body: { kind: 'html', view: postView({ title: 'Second' }) },
  },
  { key: 'blog:not-found', path: '404.html', stage: 'lists', body: { kind: 'html', view: notFoundView } },
  {
    key: 'feed::json',
    path: 'feed.json',
    stage: 'feeds',
    body: { kind: 'feed', feed: { format: 'json', blog, tag: null, posts: [post] } },
  },
  {
    key: 'source:1',
    path: 'a.md',
    stage: 'posts',
    body: { kind: 'source', blog, post: { ...summary, source: 'Set the *type*.', translations: [] } },
  },
  { key: 'llms:index', path: 'llms.txt', stage: 'feeds', body: { kind: 'llms', blog, posts: [summary] } },
  {
    key: 'llms:full',
    path: 'llms-full.txt',
    stage: 'feeds',
    body: { kind: 'llms-full', blog, posts: [{ ...summary, source: 'Set the *type*.', translations: [] }] },
  },
];

const text = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString();

describe('the renderer', () => {
  it('the renderer makes one file for each page, in order, for any mix of kinds', async () => {
    const files = await renderer.render(pages);
    expect(files.map(({ key, path, stage }) => ({ key, path, stage }))).toEqual(
      pages.map(({ key, path, stage }) => ({ key, path, stage })),
    );
    const signs = [
      '<feed ',
      '>First</h1>',
      'User-agent: *\n',
      'rel="tag"',
      '<urlset ',
      '<sitemapindex ',
      '>Second</h1>',
      'not here',
      '"content_html":',
      '---\n\nSet the *type*.',
      '## Posts',
      '- Published: ',
    ];
    for (const [index, sign] of signs.entries()) expect(text(files[index] ?? expect.fail())).toContain(sign);
  });

  it('the renderer identifies each file by the SHA-256 of its bytes', async () => {
    for (const { bytes, hash } of await renderer.render(pages)) {
      expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  it('a page has the same bytes whatever is rendered beside it', async () => {
    const together = await renderer.render(pages);
    for (const [index, page] of pages.entries()) {
      const [alone] = await createRenderer().render([page]);
      expect(alone).toEqual(together[index]);
    }
  });

  it('a renderer in a thread makes the same files, several calls at once, in layouts too', async () => {
    const own = { ...blog, layout: '{{ content }}' };
    const framed = pages.map(
      (page): Page =>
        page.body.kind === 'html'
          ? { ...page, body: { ...page.body, view: { ...page.body.view, blog: own } } }
          : page,
    );
    const framePages = async (views: readonly HtmlView[]) =>
      new Map(views.map((view) => [view, ['<p>above</p>', '<p>below</p>'] as const]));
    const renderer = createRenderer({ threads: 2, framePages });
    const calls = [framed, framed.slice(0, 3), [], framed];
    const aside = await Promise.all(calls.map((call) => renderer.renderInThread(call)));
    for (const [index, call] of calls.entries()) {
      const here = await renderer.render(call);
      expect(aside[index]?.map(text)).toEqual(here.map(text));
      expect(aside[index]?.map(({ hash }) => hash)).toEqual(here.map(({ hash }) => hash));
    }
    expect(text(aside[0]?.[1] ?? expect.fail())).toContain('<p>above</p><main');
    await renderer.close();
  });

  it('a renderer in a thread rejects with the same errors, and continues', async () => {
    const renderer = createRenderer();
    const [page = expect.fail()] = pages;
    const impossible = { ...page, body: { kind: 'card' } } as unknown as Page;
    await expect(renderer.renderInThread([impossible])).rejects.toThrow('card pool');
    expect(await renderer.renderInThread([page])).toHaveLength(1);
    await renderer.close();
  });

  it('the renderer makes no files of no pages', async () => {
    expect(await renderer.render([])).toEqual([]);
  });

  it('the renderer does not draw cards', async () => {
    const card = {
      title: 'A',
      blogName: 'B',
      description: null,
      host: 'c',
      date: '2026-01-01T00:00:00.000Z',
      lang: null,
      accent: null,
      icon: null,
    };
    const page: Page = { key: 'card:1', path: 'og/1.png', stage: 'cards', body: { kind: 'card', card } };
    await expect(renderer.render([page])).rejects.toThrow('card pool');
  });
});
