import { describe, expect, it } from 'vitest';
import { resolveLinks } from '../../../generator/previews/resolve-links.ts';

const PAGE = 'https://ink.example.com/a-post/';

describe('relative addresses on a preview page', () => {
  it.each([
    ['/', 'https://ink.example.com/'],
    ['/feed.xml', 'https://ink.example.com/feed.xml'],
    ['/tags/%E6%97%A5/', 'https://ink.example.com/tags/%E6%97%A5/'],
    ['../other/#a', 'https://ink.example.com/other/#a'],
    ['/a-post/', '#'],
    ['./#part', '#part'],
    ['b.png', 'https://ink.example.com/a-post/b.png'],
    ['?a&amp;b', 'https://ink.example.com/a-post/?a&amp;b'],
    ['//cdn.example/a', 'https://cdn.example/a'],
    // Relative to a page of the same scheme, as browsers resolve it.
    ['https:b', 'https://ink.example.com/a-post/b'],
    [' /b ', 'https://ink.example.com/b'],
    ['/"b', 'https://ink.example.com/%22b'],
  ])('a relative address resolves against the post’s own page: %s', (written, led) => {
    const quoted = written.replaceAll('"', '&quot;');
    for (const [before, after] of [
      ['<p>a</p><a class="x" href="', '" title="/b">b</a>'],
      ['<link rel="alternate" href="', '"/>'],
      ['<img alt="" src="', '">'],
      ['<blockquote cite="', '">b</blockquote>'],
      ['<p title="a > b" hidden>c</p><a title="> " href="', '">b</a>'],
      ['<style>p > a { }</style><script>1 < 2</script><a href="', '">b</a>'],
    ]) {
      expect(resolveLinks(PAGE, before + quoted + after)).toBe(before + led + after);
    }
  });

  it('every address of an image with several sources resolves against the post’s own page', () => {
    const led = resolveLinks(
      PAGE,
      '<img srcset="/a.png 1x,  b,c.png 2x, https://e.example/d.png 3x" src="/a.png">',
    );
    expect(led).toBe(
      '<img srcset="https://ink.example.com/a.png 1x, https://ink.example.com/a-post/b,c.png 2x, ' +
        'https://e.example/d.png 3x" src="https://ink.example.com/a.png">',
    );
  });
});

describe('other text on a preview page', () => {
  it.each([
    '<a href="#a">',
    '<a href=" #a">',
    '<a href="https://e.example/ä">',
    '<a href="mailto:a@example.org">',
    '<link rel="icon" href="data:image/svg+xml,a">',
    '<iframe src="https://www.youtube-nocookie.com/embed/a"></iframe>',
    '<a href="http://[">',
    '<a name="/a" title="/b" data-href="/c">/d</a>',
    '<p title=" href=">a</p><p title=" src=">b</p>',
    '<p>href="/a" &lt;a href="/b"></p>',
    '<style>a::after { content: \'<a href="/a">\' }</style><script type="a">\'<a href="/a">\'</script>',
  ])('a preview page leaves this unchanged: %s', (html) => {
    expect(resolveLinks(PAGE, html)).toBe(html);
  });
});
