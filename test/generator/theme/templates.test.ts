import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HtmlView } from '../../../generator/page.ts';
import { policyText, strictPolicy } from '../../../generator/render/content-security-policy.ts';
import type { SitePost } from '../../../generator/site/post.ts';
import { loadTemplates, type RenderView } from '../../../generator/theme/templates.ts';
import { jsonLd, tagWith } from '../render/documents.ts';
import {
  archiveView,
  blog,
  cardUrl,
  everyView,
  listView,
  longPost,
  notFoundView,
  postView,
  redirectView,
  summary,
  tagsView,
} from '../render/views.ts';

let render: RenderView;

beforeAll(async () => {
  render = await loadTemplates();
});

describe('every page of a blog', () => {
  test('every page is a whole document with inline styles, and only scripts that the policy lists', async () => {
    const policy = policyText(await strictPolicy());
    for (const view of everyView()) {
      const html = render(view);
      expect(html).toMatch(/^<!doctype html>/);
      expect(html).toMatch(/<\/html>$/);
      expect(html).toContain('<meta charset="utf-8"/>');
      expect(html).toContain('name="viewport"');
      expect(html.match(/<style>/g)).toHaveLength(1);
      const scripts = Array.from(html.matchAll(/<script>(.*?)<\/script>/gs), ([, script = '']) => script);
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) {
        expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
      }
      expect(html).not.toMatch(/rel="stylesheet"/);
    }
  });

  test('no page has hydration comments', () => {
    for (const view of everyView()) expect(render(view)).not.toContain('<!--');
  });

  test('every page has one main landmark, a skip link to it, one h1, and the feeds in head and footer', () => {
    for (const view of everyView()) {
      const html = render(view);
      expect(html.match(/<main id="Content"/g)).toHaveLength(1);
      expect(html).toContain('href="#Content"');
      expect(html.match(/<h1[ >]/g)).toHaveLength(1);
      expect(tagWith(html, 'application/atom+xml')).toContain('href="/feed.xml"');
      expect(tagWith(html, 'application/rss+xml')).toContain('href="/rss.xml"');
      expect(tagWith(html, 'application/feed+json')).toContain('href="/feed.json"');
      for (const address of ['/feed.xml', '/rss.xml', '/feed.json', '/archive/', '/tags/', '/']) {
        expect(html).toMatch(new RegExp(`<a href="${address}"`));
      }
    }
  });

  test('every page of a blog that is not indexable asks search engines to stay away', () => {
    const hidden = { ...blog, indexable: false };
    const noindex = '<meta name="robots" content="noindex"/>';
    expect(render(postView())).not.toContain(noindex);
    expect(render(listView())).not.toContain(noindex);
    expect(render(postView({}, hidden))).toContain(noindex);
    expect(render(listView({ blog: hidden }))).toContain(noindex);
  });
});

test.each([
  ['tags', tagsView],
  ['archive', archiveView],
  ['series', { layout: 'series', blog, cardUrl, name: 'Type', slug: 'type', posts: [summary] }],
  ['search', { layout: 'search', blog, cardUrl }],
] satisfies [string, HtmlView][])('the %s page has the card of the blog in link previews', (_, view) => {
  const html = render(view);
  expect(html).toContain(`<meta property="og:image" content="${cardUrl}"/>`);
  expect(html.match(/name="twitter:card" content="\w+"/g)).toEqual([
    'name="twitter:card" content="summary_large_image"',
  ]);
});

describe('the page of a post', () => {
  test('a post page has the post’s title, heading, canonical address and link preview', () => {
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

  test('a post page gives the dimensions of its image for link previews if they are known', () => {
    const cover = { url: 'https://m.example/c.jpg', width: 800, height: 600, sources: [], alt: '' };
    const sizeOf = (changes: Partial<SitePost>) =>
      ['width', 'height'].map(
        (side) => tagWith(render(postView(changes)), `og:image:${side}`)?.match(/content="(\d+)"/)?.[1],
      );
    expect(sizeOf({})).toEqual(['1200', '630']);
    expect(sizeOf({ coverImage: cover })).toEqual(['800', '600']);
    expect(sizeOf({ coverImage: { ...cover, width: null, height: null } })).toEqual([undefined, undefined]);
    expect(sizeOf({ coverImage: cover, ogImage: 'https://e.example/a.jpg' })).toEqual([undefined, undefined]);
  });

  test('a post page has valid JSON-LD whatever the title holds', () => {
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
      wordCount: 3,
      timeRequired: 'PT1M',
      author: { '@type': 'Organization', name: 'Ink & Paper' },
    });
    expect(jsonLd(html, 'BreadcrumbList')).toMatchObject({
      itemListElement: [
        { position: 1, name: 'Ink & Paper', item: 'https://ink.example.com/' },
        { position: 2, name: title, item: 'https://ink.example.com/the-composing-stick/' },
      ],
    });
    expect(html.match(/<script/g)).toHaveLength(render(postView()).match(/<script/g)?.length ?? 0);
  });

  test('a post page holds the body exactly as given', () => {
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

  test('a post page follows the links of a blog that search engines may index, and no code about links', async () => {
    const link = (rel: string) => `<p title="x"><a href="https://e.example/" id="y" rel="${rel}">e</a></p>`;
    const code = '<pre><code>&lt;a rel="nofollow ugc noopener"&gt;</code></pre>';
    const stored = link('nofollow ugc noopener') + code;
    const pageOf = (indexable: boolean) => render(postView({ html: stored }, { indexable }));
    expect(pageOf(true)).toContain(link('noopener') + code);
    expect(pageOf(false)).toContain(stored);
  });

  test('a post page has dates in words, in UTC and its own language, with the last revision', () => {
    expect(render(postView())).toContain('<time datetime="2026-03-10T23:30:00.000Z">March 10, 2026</time>');
    // On the next day by the calendar, but within a day.
    const soon = postView({ updatedAt: '2026-03-11T20:00:00.000Z' });
    for (const view of [postView(), soon]) expect(render(view)).not.toContain('Updated');
    expect(render(postView({ lang: 'ja' }))).toContain('>2026年3月10日</time>');
    expect(render(postView({ updatedAt: '2026-04-02T00:00:00.000Z' }))).toMatch(
      /Updated.*>April 2, 2026<\/time>/,
    );
  });

  test('a post page gives the reading time, and links to its neighbours by title', () => {
    const neighbours = {
      newer: { slug: 'next', title: 'The next', lang: null, language: null },
      older: { slug: '前', title: '前の', lang: 'ja', language: null },
    };
    const html = render({ ...postView({ wordCount: 1_540 }), ...neighbours });
    expect(html).toContain('>7 min read<');
    expect(html).toMatch(/<a href="\/next\/" rel="prev">.*Newer.*<bdi lang="en">The next<\/bdi>/);
    expect(html).toMatch(/<a href="\/%E5%89%8D\/" rel="next">.*Older.*<bdi lang="ja">前の<\/bdi>/);
    expect(render(postView())).not.toContain('class="beside"');
  });

  test('a post page links to its source', () => {
    expect(tagWith(render(postView()), 'text/markdown')).toContain('href="/the-composing-stick.md"');
  });

  test('a long post page with many headings has a table of contents, unless the author placed one', () => {
    const long = render(postView(longPost));
    expect(long).toMatch(/<nav class="contents"[^>]*>\s*<details>\s*<summary>/);
    expect(long).toContain('<a href="#c">c &lt; c</a>');
    const { headings = [], html } = longPost;
    const deep = [...headings, { level: 3, id: 'e', text: 'E' }, { level: 4, id: 'f', text: 'F' }];
    expect(render(postView({ ...longPost, headings: deep }))).toContain(
      '<ul><li><a href="#e">E</a></li></ul>',
    );
    expect(render(postView({ ...longPost, headings: deep }))).not.toContain('href="#f"');
    for (const changes of [
      { wordCount: 799 },
      { headings: headings.slice(1) },
      { html: `<nav class="toc"></nav>${html}` },
    ]) {
      expect(render(postView({ ...longPost, ...changes }))).not.toContain('class="contents"');
    }
  });

  test('a post page declares its language and direction', () => {
    expect(render(postView())).toContain('<html lang="en" dir="ltr">');
    expect(render(postView({ lang: 'ja' }))).toContain('<html lang="ja" dir="ltr">');
    for (const lang of ['ar', 'he', 'fa', 'ur']) {
      expect(render(postView({ lang }))).toContain(`<html lang="${lang}" dir="rtl">`);
    }
  });

  test('a post page links to the pages of its tags by encoded slugs', () => {
    const html = render(postView());
    expect(html).toContain('href="/tags/letterpress/"');
    expect(html).toContain('href="/tags/%E6%97%A5%E6%9C%AC/"');
  });

  test('a post page leaves out tags and description if the post has none', () => {
    const html = render(postView({ tags: [], description: '' }));
    expect(html).not.toContain('name="description"');
    expect(html).not.toContain('og:description');
    expect(html).not.toContain('class="tags"');
    expect(jsonLd(html)).not.toHaveProperty('description');
  });
});

test('a redirect page redirects by itself, by a link and for search engines', () => {
  const html = render(redirectView);
  const to = 'https://ink.example.com/the-composing-stick/';
  expect(html).toContain(`<meta http-equiv="refresh" content="0; url=${to}"/>`);
  expect(html).toContain(`<link rel="canonical" href="${to}"/>`);
  expect(html).toContain(`<a href="${to}" dir="ltr">${to}</a>`);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
});

test('the 404 page links to the front page and is not indexed', () => {
  const html = render(notFoundView);
  expect(html).toContain('<title>This page is not here · Ink &amp; Paper</title>');
  expect(html).toContain('<h1>This page is not here</h1>');
  expect(html).toContain('<a href="/">the front page</a>');
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).not.toContain('canonical');
});

describe('user text in templates', () => {
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

  /** Tags of a document with the names of their attributes, which no text may change. */
  const skeleton = (html: string) =>
    (html.match(/<[a-z!/][^\s">]*(?:\s+[^\s=">]+(?:="[^"]*")?)*\s*\/?>/gi) ?? []).map((tag) =>
      tag.replace(/="[^"]*"/g, ''),
    );

  test('user text never becomes markup, at any place', () => {
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

  test('the owner’s own HTML and CSS appear on the page as written', () => {
    const odd = '<!-- a --><b>$&</b><!--place:post--><!--cut-->';
    const own = {
      ...blog,
      customCss: odd,
      ownerHtml: { header: `1${odd}`, footer: `2${odd}`, ad: `3${odd}` },
    };
    const html = render(postView({}, own));
    for (const n of [1, 2, 3]) expect(html.split(`${n}${odd}`)).toHaveLength(2);
    expect(html).toContain(`${odd.replaceAll('</', '<\\/')}</style>`);
    expect(html.split('Set the <em>type</em>')).toHaveLength(2);
    expect(render({ ...redirectView, blog: own })).not.toMatch(/[123]<!-- a -->/);
  });

  test('the owner’s own HTML has the language and direction of the blog, whatever the page has', () => {
    const own = { ...blog, ownerHtml: { header: '1', footer: '2', ad: '3' } };
    const html = render(postView({ lang: 'ar' }, own));
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('<div class="above" lang="en" dir="ltr">1</div>');
    expect(html).toContain('<div class="below" lang="en" dir="ltr">2</div>');
    expect(html).toContain('<div lang="en" dir="ltr">3</div>');
    expect(render(postView({}, own))).toContain('<div class="above">1</div>');
  });

  test('user text cannot take the placeholder of the body', () => {
    const html = render(postView({ title: '<!--place:post-->' }));
    expect(html).toContain('<h1 dir="auto">&lt;!--place:post--></h1>');
    expect(html.split('Set the <em>type</em>')).toHaveLength(2);
  });
});
