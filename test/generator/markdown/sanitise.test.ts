// Slow: sanitises thousands of random and known hostile sources.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { renderMarkdown } from '../../../generator/markdown/render.ts';
import { sanitise } from '../../../generator/markdown/sanitise.ts';
import { corpusDir } from '../../support/corpus.ts';
import { offences } from './safe-html.ts';

describe('what the sanitiser removes', () => {
  it.each([
    ['a script with its content', 'a<script>alert(1)</script>b', 'ab'],
    ['a style sheet with its content', 'a<style>p{}</style>b', 'ab'],
    ['event handlers', '<p onclick="x()" ONLOAD=y>a</p>', '<p>a</p>'],
    ['style attributes', '<p style="position:fixed">a</p>', '<p>a</p>'],
    [
      'frames, objects and vector images',
      '<iframe src="https://e.com"></iframe><svg onload=x></svg><object></object>',
      '',
    ],
    ['forms and their controls', '<form action="/x"><input name="q"><button>Go</button></form>', 'Go'],
    ['an enabled checkbox', '<input type="checkbox">', ''],
    [
      'base, meta and link',
      '<base href="//e.com"><meta http-equiv="refresh" content="0"><link rel="stylesheet">',
      '',
    ],
    [
      'classes that the parser does not write',
      '<p class="nav">a</p><sup class="footnote-ref evil">1</sup>',
      '<p>a</p><sup>1</sup>',
    ],
    ['comments', 'a<!-- b -->c', 'ac'],
    ['data attributes', '<p data-x="1">a</p>', '<p>a</p>'],
    ['link targets', '<a href="/x" target="_blank" ping="/p">a</a>', '<a href="/x">a</a>'],
    ['the data address of an image', '<img src="data:image/png;base64,AA" alt="x">', ''],
  ])('the sanitiser removes %s', (_, html, expected) => {
    expect(sanitise(html)).toBe(expected);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java&#9;script:alert(1)',
    '&#x01;javascript:alert(1)',
    'vbscript:x',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://e.com/1',
    'javascript&colon;alert(1)',
  ])('the sanitiser removes an address like %j', (address) => {
    expect(sanitise(`<a href="${address}">a</a>`)).toBe('<a>a</a>');
  });

  it('the sanitiser removes mail and telephone addresses of images, and each bad address of a srcset', () => {
    expect(sanitise('<img src="mailto:a@b.c" alt="a">')).toBe('');
    expect(sanitise('<img src="a.png" srcset="javascript:x 1x, b.png 2x">')).toBe(
      '<img src="a.png" srcset="b.png 2x" />',
    );
  });

  it.each(['b -123x', 'a 0w', 'a b c', 'a 1x 2w'])(
    'the sanitiser removes a srcset that cannot be parsed, and reports nothing: %s',
    (srcset) => {
      const log = vi.spyOn(console, 'log');
      expect(sanitise(`<img src="a" srcset="${srcset}">`)).toBe('<img src="a" />');
      expect(log).not.toHaveBeenCalled();
      log.mockRestore();
    },
  );

  it('the sanitiser removes elements nested deeper than browsers allow, and keeps their text', () => {
    const html = sanitise(`${'<div>'.repeat(1000)}deep${'</div>'.repeat(1000)}`);
    expect(html.match(/<div>/g)).toHaveLength(200);
    expect(html).toContain('deep');
  });
});

describe('what the sanitiser keeps', () => {
  it.each([
    '<details open><summary>More</summary>text</details>',
    '<kbd>Ctrl</kbd> H<sub>2</sub>O x<sup>2</sup> <mark>m</mark> <ins>i</ins> <del>d</del>',
    '<abbr title="HyperText">HT</abbr> <time datetime="2024-01-01">then</time>',
    '<figure><img src="a.png" alt="A" width="3" height="2" /><figcaption>A</figcaption></figure>',
    '<picture><source srcset="a.avif 1x" type="image/avif" /><img src="a.png" alt="" /></picture>',
    '<dl><dt>t</dt><dd>d</dd></dl>',
    '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>',
    '<p dir="rtl" lang="ar">مرحبا</p>',
    '<p align="center">a</p>',
    '<ol start="3" reversed><li value="2">a</li></ol>',
    '<table><tbody><tr><td class="align-right" colspan="2">a</td></tr></tbody></table>',
    '<a href="mailto:a@b.c" title="t">m</a> <a href="tel:+1">t</a> <a href="../x?a=1&amp;b=2#c">r</a>',
    '<pre><code class="language-c++">a &lt; b\n</code></pre>',
  ])('the sanitiser keeps %s', (html) => {
    expect(sanitise(html)).toBe(html);
  });

  it('the sanitiser keeps the alignment of cells, without the obsolete attribute', () => {
    const row = '<table><tbody><tr><td align="RIGHT">a</td><td align="justify">b</td></tr></tbody></table>';
    expect(sanitise(row)).toBe(
      '<table><tbody><tr><td class="align-right">a</td><td>b</td></tr></tbody></table>',
    );
  });

  it('the sanitiser keeps the meaning of obsolete elements', () => {
    expect(sanitise('<center><tt>a</tt><strike>b</strike></center>')).toBe(
      '<div align="center"><code>a</code><s>b</s></div>',
    );
  });

  it('the sanitiser keeps text, and closes every element', () => {
    expect(sanitise('<p>a < b & c <b>bold')).toBe('<p>a &lt; b &amp; c <b>bold</b></p>');
  });
});

describe('links after sanitising', () => {
  it.each([
    'https://e.com',
    'HTTP://e.com',
    '//e.com',
    '\\\\e.com',
    '/\\e.com',
    'https:e.com',
    'ht\ntps://e.com',
  ])('links to other hosts are marked: %j', (href) => {
    expect(sanitise(`<a rel="dofollow" href="${href}">a</a>`)).toContain(' rel="nofollow ugc noopener"');
  });

  it.each(['/about', '#top', 'next/', 'mailto:a@b.c', '?q=//'])(
    'links within the host are not marked: %s',
    (href) => {
      expect(sanitise(`<a href="${href}" rel="me">a</a>`)).toBe(`<a href="${href}">a</a>`);
    },
  );
});

describe('ids after sanitising', () => {
  it('ids of the author are prefixed, so that they shadow nothing', () => {
    expect(sanitise('<p id="config">a</p><a name="top">b</a>')).toBe(
      '<p id="user-content-config">a</p><a id="user-content-top">b</a>',
    );
  });

  it('ids with a space are removed', () => {
    expect(sanitise('<p id="a b">a</p>')).toBe('<p>a</p>');
  });
});

const own = [
  '<img src=x onerror=alert(1)>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '[a](javascript:alert(1)) ![b](data:text/html,x) <javascript:alert(1)> [c](<java\tscript:x>)',
  '[x]: vbscript:x\n\n[x]',
  '<a href="https://e.com" onclick=x style=y class="anchor nav" id=location name=cookie>z</a>',
  '```"><img src=x onerror=y>\ncode\n```',
  '# <img src=x onerror=y> "><script>x</script>',
  '<div\u0000onclick=x> <img/src/onerror=x> <p/onclick=y>',
  '<a href="&#106;avascript:x">a</a> <xmp><p title="</xmp><img src=x onerror=y>">',
  '<textarea></textarea><plaintext><iframe srcdoc="<script>x</script>">',
  '<table><tr><td background="javascript:x"><isindex action=javascript:x><input type=image src=x>',
];

describe('forbidden HTML in hostile sources', () => {
  it.each(own)('no forbidden HTML is published from %s', (source) => {
    expect(offences(renderMarkdown(source).html)).toEqual([]);
    expect(offences(sanitise(source))).toEqual([]);
  });

  it('no forbidden HTML is published from any combination of pieces', () => {
    const pieces = [
      '<',
      '>',
      '"',
      "'",
      '/',
      '=',
      ' ',
      '&',
      '#x3c;',
      'a',
      'img',
      'src',
      'script',
      'svg',
      'style',
      'onerror',
    ];
    const piece = fc.constantFrom(
      ...pieces,
      'javascript:',
      'href',
      '<!--',
      '-->',
      '\n',
      '`',
      '[x](',
      ')',
      '\0',
      'id',
      '<p',
      ...own,
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (parts) => {
        const source = parts.join('');
        expect(offences(sanitise(source))).toEqual([]);
        expect(offences(renderMarkdown(source).html)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the check on published HTML', () => {
  it.each([
    '<script>',
    '<p onclick="x">',
    '<a href="javascript:x">',
    '<img src="data:x">',
    '<p id="x">',
    '<p class="nav">',
    '<p title="a>',
    '<input type="text">',
    '<p title=a>',
    'a > b',
  ])('the check on published HTML reports %s', (html) => {
    expect(offences(html)).not.toEqual([]);
  });
});

const corpus = corpusDir();
if (corpus !== null) {
  describe('known attacks', () => {
    const attacks = readAttacks(join(corpus, 'xss', 'dompurify-expect.json'));

    it('the list of known attacks is long', () => expect(attacks.length).toBeGreaterThan(200));

    it('known attacks leave no forbidden HTML behind', () => {
      for (const attack of attacks) {
        expect(offences(renderMarkdown(attack).html), attack).toEqual([]);
        expect(offences(renderMarkdown(`- text ${attack}\n\n> ${attack}`).html), attack).toEqual([]);
        // Skips the parser, which turns the worst tags into text.
        expect(offences(sanitise(attack)), attack).toEqual([]);
      }
    });
  });
}

function readAttacks(file: string): string[] {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return Array.isArray(parsed) ? parsed.filter((entry) => typeof entry === 'string') : [];
}
