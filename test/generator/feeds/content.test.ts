import { describe, expect, it } from 'vitest';
import { feedContent } from '../../../generator/feeds/content.ts';
import { renderMarkdown } from '../../../generator/markdown/render.ts';
import { cpuTime } from '../../support/cpu.ts';

const page = 'https://ink.example.com/a-post/';
const feedReady = (html: string) => feedContent(html, page);
const ofMarkdown = (source: string) => feedReady(renderMarkdown(source).html);

it('table cells in a feed, which has no styles, keep their alignment', () => {
  expect(ofMarkdown('|a|\n|-:|\n|1|')).toContain('<td align="right">1</td>');
});

describe('addresses in a feed', () => {
  it.each([
    ['/other/', 'https://ink.example.com/other/'],
    ['other/', 'https://ink.example.com/a-post/other/'],
    ['../other/', 'https://ink.example.com/other/'],
    ['?q=1&amp;r=2', 'https://ink.example.com/a-post/?q=1&amp;r=2'],
    ['//cdn.example/a.png', 'https://cdn.example/a.png'],
    ['/日本/', 'https://ink.example.com/%E6%97%A5%E6%9C%AC/'],
    ['https:other', 'https://ink.example.com/a-post/other'],
    ['', page],
  ])('the address %j on a page is absolute in a feed', (written, absolute) => {
    expect(feedReady(`<p><a href="${written}">a</a> <img src="${written}" alt="b" /></p>`)).toBe(
      `<p><a href="${absolute}">a</a> <img src="${absolute}" alt="b" /></p>`,
    );
    expect(feedReady(`<blockquote cite="${written}">a</blockquote>`)).toBe(
      `<blockquote cite="${absolute}">a</blockquote>`,
    );
  });

  it.each(['https://Example.org', 'http://e.example/?a=b&amp;c', 'mailto:a@b.example', 'tel:+49'])(
    'a complete address is unchanged in a feed: %s',
    (written) => {
      expect(feedReady(`<a href="${written}" rel="nofollow">a</a>`)).toBe(
        `<a href="${written}" rel="nofollow">a</a>`,
      );
    },
  );

  it('a link within a post leads to the post’s page in a feed', () => {
    expect(feedReady('<a href="#fn-1" id="fnref-1">1</a>')).toBe(
      '<a href="https://ink.example.com/a-post/#fn-1" id="fnref-1">1</a>',
    );
  });

  it('every address of an image with several sources is absolute in a feed', () => {
    expect(feedReady('<img src="a.png" srcset="/a,b.png 2x, https://e.example/c.png 3x" />')).toBe(
      '<img src="https://ink.example.com/a-post/a.png" srcset="https://ink.example.com/a,b.png 2x, https://e.example/c.png 3x" />',
    );
  });

  it('an attribute that is not an address is unchanged in a feed', () => {
    expect(feedReady('<a href="//[">a</a>')).toBe('<a href="//[">a</a>');
  });

  it('text that only looks like an address attribute is unchanged in a feed', () => {
    const html =
      '<p title="a href=" lang="/en">href="/a" src="/b" tabindex="0"</p> <a title=" src=" href="/a">b</a>';
    expect(feedReady(html)).toBe(html.replace(' href="/a">', ' href="https://ink.example.com/a">'));
  });
});

describe('the body of a post in a feed', () => {
  it('headings in a feed have no links to themselves', () => {
    expect(ofMarkdown('## A *heading*\n\nText.')).toBe(
      '<h2 id="a-heading">A <em>heading</em></h2>\n<p>Text.</p>\n',
    );
  });

  it('a feed has the address of a video in place of its frame', () => {
    const html = ofMarkdown('https://youtu.be/dQw4w9WgXcQ');
    expect(html).toContain('<figcaption><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ"');
    expect(html).not.toContain('iframe');
  });

  it('code in a feed is text, with words for its marked lines', () => {
    const html = ofMarkdown('```ts diff showLineNumbers\n+const a = 1;\n-const b = 2;\n c\n```');
    expect(html).not.toMatch(/<span|tabindex/);
    expect(html).toContain('<ins class="line" data-line="1">+const a = 1;</ins>');
    const [, code] = /<code[^>]*>(.*?)<\/code>/s.exec(html) ?? [];
    expect(code?.replace(/<[^>]*>/g, '')).toBe('+const a = 1;\n-const b = 2;\n c\n');
  });

  it('a feed keeps the author’s elements that are not code blocks', () => {
    const html =
      '<p><span lang="ja">日本</span></p>\n<pre tabindex="0"><code>a</code><b>b</b></pre>\n<p><span>c</span></p>';
    expect(feedReady(html)).toBe(html.replace(' tabindex="0"', ''));
  });

  it('a feed has the plain image of a picture element, which every reader shows', () => {
    const image = {
      address: '/media/c/a.png',
      width: 1,
      height: 1,
      sources: [{ type: 'image/avif', files: [{ address: '/b.avif', width: 1 }] }],
    };
    const { html } = renderMarkdown(
      '![a](/media/c/a.png) <picture id="b"><source srcset="/c.png"><img src="/d.png"></picture>',
      new Map([['/c/a.png', image]]),
    );
    expect(html).toContain('<source type="image/avif"');
    expect(feedReady(html)).toBe(
      '<p><img src="https://ink.example.com/media/c/a.png" alt="a" width="1" height="1" /> <img src="https://ink.example.com/d.png" /></p>\n',
    );
  });

  it('a feed has no attribute that works only on a page', () => {
    const html = ofMarkdown('![a](/a.png)\n\n| a |\n|---|\n| b |\n\n```mermaid\ngraph TD\n  A --> B\n```');
    expect(html).toContain('<img src="https://ink.example.com/a.png" alt="a" />');
    expect(html).toContain('<div class="table"><table>');
    expect(html).toMatch(/<figure class="diagram"><svg /);
    expect(html).not.toMatch(/tabindex|loading|decoding/);
  });

  it('feed content takes linear time to prepare, whatever the post holds', async () => {
    for (const part of [
      '<pre tabindex="0"><code>a</code>b</pre>',
      '<a href="#',
      '<span>',
      '<iframe ',
      '<',
      ' href="',
    ]) {
      const html = part.repeat(Math.ceil(1_000_000 / part.length));
      expect(await cpuTime(() => feedReady(html)), part).toBeLessThan(5_000);
    }
  });
});
