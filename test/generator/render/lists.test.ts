import { beforeAll, describe, expect, test } from 'vitest';
import { loadTemplates, type RenderView } from '../../../generator/theme/templates.ts';
import { jsonLd, tagWith } from './documents.ts';
import { listView, summary } from './views.ts';

let render: RenderView;

beforeAll(async () => {
  render = await loadTemplates();
});

describe('a list page', () => {
  test('a list page shows each post with its address, date, description and tags', () => {
    const html = render(listView({ posts: [summary, { ...summary, slug: 'second', title: 'Second' }] }));
    expect(html).toContain('<a href="/the-composing-stick/">The composing stick</a>');
    expect(html).toContain('<a href="/second/">Second</a>');
    expect(html).toContain('>March 10, 2026</time>');
    expect(html).toContain('>What it taught me about limits</p>');
    expect(html).toContain('href="/tags/letterpress/"');
  });

  test('a list page links to its neighbours, in the head too, and to no missing ones', () => {
    const html = render(listView({ pageNumber: 6, newer: '/page/7/', older: '/page/5/' }));
    expect(html).toContain('<link rel="prev" href="/page/7/"/>');
    expect(html).toContain('<link rel="next" href="/page/5/"/>');
    expect(html).toContain('<a rel="prev" href="/page/7/">Newer posts</a>');
    expect(html).toContain('<a rel="next" href="/page/5/">Older posts</a>');
    const last = render(listView({ pageNumber: 1, newer: '/page/2/' }));
    expect(last).not.toMatch(/<(a|link) rel="next"/);
    expect(render(listView())).not.toContain('class="pages"');
  });

  test('the front page is headed by the blog’s name, and further list pages by their numbers', () => {
    const front = render(listView());
    expect(front).toContain('<title>Ink &amp; Paper</title>');
    expect(front).toMatch(/<h1 class="name"[^>]*>\s*<a href="\/" aria-current="page">Ink &amp; Paper<\/a>/);
    expect(tagWith(front, 'rel="canonical"')).toContain('href="https://ink.example.com/"');
    const run = render(listView({ pageNumber: 6 }));
    expect(run).toContain('<title>Page 6 · Ink &amp; Paper</title>');
    expect(tagWith(run, 'rel="canonical"')).toContain('href="https://ink.example.com/page/6/"');
    expect(run).toMatch(/<h1[^>]*>.*Page 6.*<\/h1>/);
  });

  test('the list of a tag has the label as heading and the slug as path, and marks the tag as current', () => {
    const tag = { label: '日本', slug: '日本' };
    const html = render(listView({ tag, pageNumber: 2 }));
    expect(html).toContain('<title>#日本 · Page 2 · Ink &amp; Paper</title>');
    expect(html).toMatch(/<h1[^>]*>.*#.*日本.*<\/h1>/);
    expect(tagWith(html, 'rel="canonical"')).toContain(
      'href="https://ink.example.com/tags/%E6%97%A5%E6%9C%AC/page/2/"',
    );
    expect(tagWith(html, 'href="/tags/%E6%97%A5%E6%9C%AC/"')).toContain('aria-current="page"');
    expect(tagWith(html, 'href="/tags/letterpress/"')).not.toContain('aria-current');
  });

  test('a list page has the language that its posts share, and marks each post if they differ', () => {
    const arabic = { ...summary, lang: 'ar' };
    expect(render(listView({ posts: [arabic, arabic] }))).toContain('<html lang="ar" dir="rtl">');
    const mixed = render(listView({ posts: [arabic, summary] }));
    expect(mixed).toContain('<html lang="en" dir="ltr">');
    expect(mixed).toContain('<article class="entry" lang="ar" dir="rtl">');
    expect(mixed).toContain('<article class="entry" lang="en" dir="ltr">');
  });

  test('a front page has JSON-LD of the blog, and other list pages a breadcrumb trail', () => {
    const front = render(listView());
    expect(jsonLd(front, 'WebSite')).toMatchObject({ name: 'Ink & Paper', url: 'https://ink.example.com/' });
    expect(jsonLd(front, 'Blog')).toMatchObject({
      description: 'Notes on type',
      inLanguage: 'en',
      blogPost: [
        { '@type': 'BlogPosting', headline: 'The composing stick', datePublished: summary.publishedAt },
      ],
    });
    const tag = render(listView({ tag: { label: 'Ü', slug: 'ü' }, pageNumber: 2 }));
    expect(jsonLd(tag, 'Blog')).toBeUndefined();
    expect(jsonLd(tag, 'BreadcrumbList')).toMatchObject({
      itemListElement: [
        { position: 1, name: 'Ink & Paper' },
        { position: 2, name: 'Tags', item: 'https://ink.example.com/tags/' },
        { position: 3, name: '#Ü', item: 'https://ink.example.com/tags/%C3%BC/' },
        { position: 4, name: 'Page 2', item: 'https://ink.example.com/tags/%C3%BC/page/2/' },
      ],
    });
  });

  test('the list of a tag links to the feeds of the tag too', () => {
    const html = render(listView({ tag: { label: 'Ü', slug: 'ü' } }));
    for (const file of ['feed.xml', 'rss.xml', 'feed.json']) {
      expect(tagWith(html, `href="/tags/%C3%BC/${file}"`)).toContain('rel="alternate"');
      expect(tagWith(html, `href="/${file}"`)).toContain('rel="alternate"');
    }
    expect(render(listView())).not.toContain('href="/tags/letterpress/feed.xml"');
  });

  test('the list of an empty blog says that there are no posts', () => {
    expect(render(listView({ posts: [] }))).toContain('Nothing has been published here yet.');
  });
});
