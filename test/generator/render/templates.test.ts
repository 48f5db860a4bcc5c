import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTemplates, type RenderView } from '../../../generator/render/templates.ts';
import type { HtmlView } from '../../../generator/site.ts';
import { blog, listView, notFoundView, postView, redirectView, summary } from './views.ts';

let render: RenderView;

beforeAll(async () => {
  render = await loadTemplates();
});

const everyView = (): HtmlView[] => [postView(), listView(), redirectView, notFoundView];

/** The element's start tag that holds `marker`, as written. */
function tagWith(html: string, marker: string): string | undefined {
  return html.match(/<[a-z][^<]*>/g)?.find((tag) => tag.includes(marker));
}

function jsonLd(html: string): Record<string, unknown> {
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
  return JSON.parse(json ?? 'null');
}

describe('every page', () => {
  test('is a whole document with its styles inside and no script to run', () => {
    for (const view of everyView()) {
      const html = render(view);
      expect(html).toMatch(/^<!doctype html>/);
      expect(html).toMatch(/<\/html>$/);
      expect(html).toContain('<meta charset="utf-8"/>');
      expect(html).toContain('name="viewport"');
      expect(html.match(/<style>/g)).toHaveLength(1);
      expect(html.match(/<script(?! type="application\/ld\+json")/g)).toBeNull();
      expect(html).not.toMatch(/rel="stylesheet"/);
    }
  });

  test('carries no comments for hydration', () => {
    for (const view of everyView()) expect(render(view)).not.toContain('<!--');
  });

  test('has one main landmark, a skip link to it, one h1, and the feed in head and foot', () => {
    for (const view of everyView()) {
      const html = render(view);
      expect(html.match(/<main id="Content"/g)).toHaveLength(1);
      expect(html).toContain('href="#Content"');
      expect(html.match(/<h1[ >]/g)).toHaveLength(1);
      expect(tagWith(html, 'application/atom+xml')).toContain('href="/feed.xml"');
      expect(html).toContain('<a href="/feed.xml">');
      expect(html).toContain('Pressed by Platen');
    }
  });

  test('asks search engines to stay away where the blog is not indexable', () => {
    const hidden = { ...blog, indexable: false };
    const noindex = '<meta name="robots" content="noindex"/>';
    expect(render(postView())).not.toContain(noindex);
    expect(render(listView())).not.toContain(noindex);
    expect(render(postView({}, hidden))).toContain(noindex);
    expect(render(listView({ blog: hidden }))).toContain(noindex);
  });

  test('spends less than 9 kB on styles', () => {
    const css = /<style>(.*?)<\/style>/s.exec(render(notFoundView))?.[1] ?? '';
    expect(css.length).toBeGreaterThan(1000);
    expect(css.length).toBeLessThan(9 * 1024);
    expect(css).not.toMatch(/\n|\/\*/);
  });
});

describe('a post', () => {
  test('is named in title, heading, canonical address and link previews', () => {
    const html = render(postView());
    expect(html).toContain('<title>The composing stick · Ink &amp; Paper</title>');
    expect(html).toContain('<h1 dir="auto">The composing stick</h1>');
    expect(html).toContain('<meta name="description" content="What it taught me about limits"/>');
    expect(tagWith(html, 'rel="canonical"')).toContain('href="https://ink.example.com/the-composing-stick/"');
    for (const [property, content] of [
      ['og:type', 'article'],
      ['og:title', 'The composing stick'],
      ['og:description', 'What it taught me about limits'],
      ['og:url', 'https://ink.example.com/the-composing-stick/'],
      ['og:site_name', 'Ink &amp; Paper'],
      ['og:image', 'https://ink.example.com/og/0a1b.png'],
      ['article:published_time', '2026-03-10T23:30:00.000Z'],
      ['article:modified_time', '2026-03-10T23:45:00.000Z'],
      ['article:tag', 'Letterpress'],
      ['article:tag', '日本'],
    ]) {
      expect(html).toContain(`<meta property="${property}" content="${content}"/>`);
    }
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>');
  });

  test('states the dimensions of our own card, but not of an image that the author gave', () => {
    expect(render(postView())).toContain('<meta property="og:image:width" content="1200"/>');
    expect(render(postView({ ogImage: 'https://example.com/a.jpg' }))).not.toContain('og:image:width');
  });

  test('describes itself as JSON-LD, whatever its title holds', () => {
    const title = '</script><script>alert(1)</script> \u2028 <!-- "quoted" \\';
    const html = render(postView({ title }));
    expect(jsonLd(html)).toMatchObject({
      '@type': 'BlogPosting',
      headline: title,
      description: 'What it taught me about limits',
      url: 'https://ink.example.com/the-composing-stick/',
      image: 'https://ink.example.com/og/0a1b.png',
      datePublished: '2026-03-10T23:30:00.000Z',
      dateModified: '2026-03-10T23:45:00.000Z',
      inLanguage: 'en',
      keywords: ['Letterpress', '日本'],
    });
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  test('holds its body exactly as it was given', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('<!--[-->', '<!---->', '$&', '$1', '<p  CLASS=x>'), fc.string())),
        (pieces) => {
          const html = pieces.join('');
          expect(render(postView({ html }))).toContain(`<div class="prose">${html}</div>`);
        },
      ),
    );
  });

  test('dates itself in words, in UTC and in its own language, and mentions a later revision', () => {
    expect(render(postView())).toContain('<time datetime="2026-03-10T23:30:00.000Z">March 10, 2026</time>');
    expect(render(postView())).not.toContain('Updated');
    expect(render(postView({ lang: 'ja' }))).toContain('>2026年3月10日</time>');
    expect(render(postView({ updatedAt: '2026-04-02T00:00:00.000Z' }))).toMatch(
      /Updated.*>April 2, 2026<\/time>/,
    );
  });

  test('gives its language and the direction of its script', () => {
    expect(render(postView())).toContain('<html lang="en" dir="ltr">');
    expect(render(postView({ lang: 'ja' }))).toContain('<html lang="ja" dir="ltr">');
    for (const lang of ['ar', 'he', 'fa', 'ur']) {
      expect(render(postView({ lang }))).toContain(`<html lang="${lang}" dir="rtl">`);
    }
  });

  test('links to the pages of its tags by their encoded slugs', () => {
    const html = render(postView());
    expect(html).toContain('href="/tags/letterpress/"');
    expect(html).toContain('href="/tags/%E6%97%A5%E6%9C%AC/"');
  });

  test('leaves out what an untagged post without description has not', () => {
    const html = render(postView({ tags: [], description: '' }));
    expect(html).not.toContain('name="description"');
    expect(html).not.toContain('og:description');
    expect(html).not.toContain('class="tags"');
    expect(jsonLd(html)).not.toHaveProperty('description');
  });
});

describe('a list', () => {
  test('shows each post with its address, date, description and tags', () => {
    const html = render(listView({ posts: [summary, { ...summary, slug: 'second', title: 'Second' }] }));
    expect(html).toContain('<a href="/the-composing-stick/">The composing stick</a>');
    expect(html).toContain('<a href="/second/">Second</a>');
    expect(html).toContain('>March 10, 2026</time>');
    expect(html).toContain('>What it taught me about limits</p>');
    expect(html).toContain('href="/tags/letterpress/"');
  });

  test('links to its neighbours, in the head too, and to none that are missing', () => {
    const html = render(listView({ run: 6, newer: '/page/7/', older: '/page/5/' }));
    expect(html).toContain('<link rel="prev" href="/page/7/"/>');
    expect(html).toContain('<link rel="next" href="/page/5/"/>');
    expect(html).toContain('<a rel="prev" href="/page/7/">Newer posts</a>');
    expect(html).toContain('<a rel="next" href="/page/5/">Older posts</a>');
    const last = render(listView({ run: 1, newer: '/page/2/' }));
    expect(last).not.toMatch(/<(a|link) rel="next"/);
    expect(render(listView())).not.toContain('<nav');
  });

  test('has the blog for its heading on the front page, and its own number further back', () => {
    const front = render(listView());
    expect(front).toContain('<title>Ink &amp; Paper</title>');
    expect(front).toMatch(/<h1 class="name"[^>]*><a href="\/" aria-current="page">Ink &amp; Paper<\/a>/);
    expect(tagWith(front, 'rel="canonical"')).toContain('href="https://ink.example.com/"');
    const run = render(listView({ run: 6 }));
    expect(run).toContain('<title>Page 6 · Ink &amp; Paper</title>');
    expect(tagWith(run, 'rel="canonical"')).toContain('href="https://ink.example.com/page/6/"');
    expect(run).toMatch(/<h1[^>]*>.*Page 6.*<\/h1>/);
  });

  test('of a tag is headed by its label, lies under its slug and marks it as current', () => {
    const tag = { label: '日本', slug: '日本' };
    const html = render(listView({ tag, run: 2 }));
    expect(html).toContain('<title>#日本 · Page 2 · Ink &amp; Paper</title>');
    expect(html).toMatch(/<h1[^>]*>.*#.*日本.*<\/h1>/);
    expect(tagWith(html, 'rel="canonical"')).toContain(
      'href="https://ink.example.com/tags/%E6%97%A5%E6%9C%AC/page/2/"',
    );
    expect(tagWith(html, 'href="/tags/%E6%97%A5%E6%9C%AC/"')).toContain('aria-current="page"');
    expect(tagWith(html, 'href="/tags/letterpress/"')).not.toContain('aria-current');
  });

  test('is in the language that all its posts share, and marks each post where they differ', () => {
    const arabic = { ...summary, lang: 'ar' };
    expect(render(listView({ posts: [arabic, arabic] }))).toContain('<html lang="ar" dir="rtl">');
    const mixed = render(listView({ posts: [arabic, summary] }));
    expect(mixed).toContain('<html lang="en" dir="ltr">');
    expect(mixed).toContain('<article class="entry" lang="ar" dir="rtl">');
    expect(mixed).toContain('<article class="entry" lang="en" dir="auto">');
  });

  test('of an empty blog says so kindly', () => {
    expect(render(listView({ posts: [] }))).toContain('Nothing has been published here yet.');
  });
});

test('a redirect leads on by itself, by a link and for search engines', () => {
  const html = render(redirectView);
  const to = 'https://ink.example.com/the-composing-stick/';
  expect(html).toContain(`<meta http-equiv="refresh" content="0; url=${to}"/>`);
  expect(html).toContain(`<link rel="canonical" href="${to}"/>`);
  expect(html).toContain(`<a href="${to}">`);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
});

test('the page for what is missing leads home and is not indexed', () => {
  const html = render(notFoundView);
  expect(html).toContain('<title>This page is not here · Ink &amp; Paper</title>');
  expect(html).toContain('<h1>This page is not here</h1>');
  expect(html).toContain('<a href="/">the front page</a>');
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).not.toContain('canonical');
});

describe('what people have written', () => {
  const viewsWith = (text: string): HtmlView[] => {
    const hostileBlog = { ...blog, name: text, description: text };
    const hostile = { title: text, description: text, tags: [{ label: text, slug: 'tag' }] };
    return [
      postView(hostile, hostileBlog),
      listView({ blog: hostileBlog, posts: [{ ...summary, ...hostile }], tag: { label: text, slug: 'tag' } }),
      listView({ blog: hostileBlog, posts: [{ ...summary, ...hostile }] }),
      { ...redirectView, blog: hostileBlog },
      { ...notFoundView, blog: hostileBlog },
    ];
  };

  /** The tags of a document with the names of their attributes: what no text may change. */
  const skeleton = (html: string) =>
    (html.match(/<[a-z!/][^\s">]*(?:\s+[^\s=">]+(?:="[^"]*")?)*\s*\/?>/gi) ?? []).map((tag) =>
      tag.replace(/="[^"]*"/g, ''),
    );

  test('never becomes markup, wherever it stands', () => {
    const dangerous = [
      '</script>',
      '</title>',
      '</style>',
      '<!--',
      '-->',
      '"',
      "'",
      '<img src=x onerror=y>',
      ']]>',
    ];
    const text = fc
      .array(fc.oneof(fc.constantFrom(...dangerous, '&quot;', '{name}', '\u2028'), fc.string()), {
        minLength: 1,
      })
      .map((pieces) => `x${pieces.join('')}`);
    const plain = viewsWith('x').map((view) => skeleton(render(view)));
    fc.assert(
      fc.property(text, (hostile) => {
        expect(viewsWith(hostile).map((view) => skeleton(render(view)))).toEqual(plain);
      }),
    );
  });

  test('cannot be taken for the place of the body', () => {
    const html = render(postView({ title: '<!--post-html-->' }));
    expect(html).toContain('<h1 dir="auto">&lt;!--post-html--></h1>');
    expect(html.split('Set the <em>type</em>')).toHaveLength(2);
  });
});
