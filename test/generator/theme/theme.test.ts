import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTemplates, type RenderView } from '../../../generator/theme/templates.ts';
import { jsonLd, styleOf, tagWith } from '../render/documents.ts';
import { blog, cardUrl, everyView, listView, longPost, notFoundView, postView } from '../render/views.ts';

let render: RenderView;

beforeAll(async () => {
  render = await loadTemplates();
});

describe('the theme of every page', () => {
  test('a page carries only the styles that it uses, and less than 8 kB if it uses few', () => {
    const css = styleOf(render(notFoundView));
    expect(css.length).toBeGreaterThan(1000);
    expect(css.length).toBeLessThan(8 * 1024);
    expect(css).not.toMatch(/\n|\/\*|\.prose p|\.entry h2/);
    expect(styleOf(render(listView()))).toContain('.entry');
    const [plain, coded] = [postView(), postView(longPost)].map((view) => styleOf(render(view)));
    expect(plain).toContain('.prose');
    expect(plain).not.toMatch(/\.hljs|\.contents|\.entry h2|\.footnote/);
    expect(coded).toMatch(/\.hljs.*\.contents/);
  });

  test('the stylesheet names each colour once', () => {
    const css = styleOf(render(postView({ html: '<pre></pre><div class="markdown-alert">' })));
    const colours = css.replace(/@media print.*$/, '').match(/#[0-9a-f]{3,6}\b/g) ?? [];
    const named = css.match(/--\w+:light-dark\(#\w+,#\w+\)/g) ?? [];
    expect(named.length).toBeGreaterThan(8);
    // Other than the named pairs: highlighter marks are the same in both schemes.
    expect(colours.length - named.length * 2).toBeLessThanOrEqual(2);
  });

  test('the first request for a post of 1,500 words with code is less than 14 kB, styles included', () => {
    // Text compresses to half of its length, as do random letters.
    const text = Array.from({ length: 1500 }, (_, n) => (n * 2654435761).toString(36).slice(-6)).join(' ');
    const code = '<pre><code><span class="hljs-keyword">const</span> a = 1;</code></pre>';
    const html = render(postView({ ...longPost, html: `<p>${text}</p>${code.repeat(9)}` }));
    expect(gzipSync(html).length).toBeLessThan(14 * 1024);
    expect(gzipSync(render(listView())).length).toBeLessThan(6 * 1024);
  });

  test('the icon of a blog shows the first letter of its name, in any script', () => {
    const iconOf = (name: string, accentColor: string | null = null) => {
      const view = listView({ blog: { ...blog, name, settings: { ...blog.settings, accentColor } } });
      const href = /<link rel="icon" href="([^"]*)"/.exec(render(view))?.[1] ?? '';
      expect(href).toMatch(/^data:image\/svg\+xml,[\w%.,:/=()'-]*$/);
      return decodeURIComponent(href.slice('data:image/svg+xml,'.length));
    };
    expect(iconOf('ink & paper')).toMatch(/fill='#ad2f1b'.*>I<\/text>/);
    for (const [name, initial] of [
      ['«Übung»', 'Ü'],
      ['日本の印刷', '日'],
      ['क्षेत्र', 'क्षे'],
      ['👩‍🚀 in space', '👩‍🚀'],
      ['ßtraße', 'ß'],
      ['<&>', ''],
      ['\ud800', ''],
    ] as const) {
      expect(iconOf(name)).toContain(`>${initial}</text>`);
    }
    expect(iconOf('A', '#ffee00')).toMatch(/fill='#ffee00'.*fill='#000'/);
  });

  test('a page links to the files of the blog’s icon, and shows it beside its name, once they are made', () => {
    const pageWith = (isMade: boolean) => {
      const icon = { url: 'https://media.example.org/b/i.jpg', isMade, former: null };
      return render(postView({}, { settings: { ...blog.settings, icon } }));
    };
    const html = pageWith(true);
    expect(tagWith(html, 'favicon.ico')).toMatch(/^<link rel="icon" href="\/favicon.ico"/);
    expect(tagWith(html, 'apple-touch-icon')).toContain('href="https://media.example.org/b/i-180.png"');
    expect(tagWith(html, 'rel="manifest"')).toContain('href="/site.webmanifest"');
    expect(tagWith(html, 'class="logo"')).toMatch(/src="https:\/\/media.example.org\/b\/i-96.png" alt=""/);
    expect(html).not.toContain('data:image/svg');
    expect(pageWith(false)).toBe(render(postView()));
  });

  test('a page shows the owner’s settings', () => {
    const settings = {
      accentColor: '#ffee00',
      language: 'de',
      author: { name: 'Ada <b>', url: 'https://ada.example/', image: null },
      socialLinks: [{ label: 'Mastodon', url: 'https://social.example/@ada' }],
      navigation: [{ label: 'Über mich', url: '/ueber-mich/' }],
      frontPage: null,
      icon: null,
    };
    const own = { ...blog, settings, customCss: 'p{color:red}</style><script>' };
    for (const view of everyView()) {
      const html = render({ ...view, blog: own });
      expect(html).toContain('<a href="/ueber-mich/" lang="de"><bdi>Über mich</bdi></a>');
      expect(tagWith(html, 'https://social.example/@ada')).toContain('rel="me"');
      expect(tagWith(html, 'rel="author me"')).toContain('href="https://ada.example/"');
      expect(styleOf(html)).toMatch(
        /--rubric:light-dark\(oklch\(from #ffee00 .*p\{color:red\}<\\\/style><script>$/,
      );
    }
    const html = render(postView({}, own));
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(html).toContain('>10. März 2026</time>');
    expect(jsonLd(html)).toMatchObject({
      author: { '@type': 'Person', name: 'Ada <b>', url: 'https://ada.example/' },
    });
    expect(
      render({ layout: 'archive', blog: own, cardUrl, months: [{ month: '2026-03', posts: 2 }] }),
    ).toContain('>März 2026</a>');
  });

  test('a page names Platen if the blog’s plan requires that', () => {
    expect(render(listView())).toContain('Pressed by Platen');
    expect(render(listView({ blog: { ...blog, badge: false } }))).not.toContain('Platen');
  });
});
