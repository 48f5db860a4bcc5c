import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { closeHtml, MAX_CHARACTERS, MAX_ELEMENTS } from '../../../generator/owner-html/balanced-html.ts';
import { OwnerHtmlRefused } from '../../../generator/owner-html/refused.ts';

/** Whether a browser parses the page after the HTML as if the HTML were not there, with and without scripting. */
function leavesAlone(html: string): boolean {
  return [true, false].every((scriptingEnabled) => {
    const page = `<!doctype html><title>x</title><body><div>${html}</div><x-end></x-end>`;
    const body = childNamed(childNamed(parse(page, { scriptingEnabled }), 'html'), 'body');
    return body?.childNodes.at(-1)?.nodeName === 'x-end';
  });
}

function childNamed(node: DefaultTreeAdapterTypes.ParentNode | undefined, name: string) {
  const found = node?.childNodes.find((child) => child.nodeName === name);
  return found !== undefined && 'childNodes' in found ? found : undefined;
}

describe('completing the owner’s HTML', () => {
  it.each([
    '',
    '<p>Words &amp; <b>more</b>.</p>',
    '<!-- a comment --><script async="" src="https://ads.example/a.js"></script>',
    '<script>if (1 < 2 && "<p>") document.write("<!-- x -->");</script>',
    '<noscript><img src="https://count.example/?a=1&amp;b=2"></noscript>',
    '<style>a > b { color: red }</style>',
    '<svg viewBox="0 0 1 1"><path d="M0 0"></path></svg>',
    '<iframe src="https://video.example/" title="A"></iframe>',
    '<table><tbody><tr><td>1</td></tr></tbody></table>',
  ])('complete owner HTML is unchanged: %s', (html) => {
    expect(closeHtml(html)).toBe(html);
  });

  it.each([
    ['<header>', '<header></header>'],
    ['</footer>', ''],
    ['<b>bold <!-- and', '<b>bold <!-- and--></b>'],
    ['</aside></main></body></html>text', 'text'],
    ['<script>let a = 1', '<script>let a = 1</script>'],
    ['<p title="', ''],
    ['<textarea>', '<textarea></textarea>'],
    ['<body onload="x()"><p>a', '<p>a</p>'],
    ['<td>a', 'a'],
    ['a<plaintext>b', 'a'],
    ['<template><plaintext>b</template>', '<template></template>'],
  ])('open tags in owner HTML are closed: %s', (html, whole) => {
    expect(closeHtml(html)).toBe(whole);
  });

  it('any owner HTML leaves the rest of the page intact', () => {
    const piece = fc.constantFrom(
      ...[
        '<b>',
        '</b>',
        '<p>',
        '<a href="x">',
        '</a>',
        '<div',
        '>',
        '<!--',
        '-->',
        '--!>',
        '<!',
        '<?',
        'x',
        '"',
        "'",
      ],
      ...[
        '<script>',
        '</script>',
        '<style>',
        '</style>',
        '<noscript>',
        '</noscript>',
        '<template>',
        '</template>',
      ],
      ...[
        '<svg>',
        '</svg>',
        '<math>',
        '<mtext>',
        '<mglyph>',
        '<foreignObject>',
        '<title>',
        '</title>',
        '<desc>',
      ],
      ...[
        '<table>',
        '<tr>',
        '<td>',
        '</table>',
        '<select>',
        '<option>',
        '<form>',
        '</form>',
        '<plaintext>',
        '<xmp>',
      ],
      ...[
        '<textarea>',
        '</textarea>',
        '<iframe>',
        '<noembed>',
        '<noframes>',
        '<frameset>',
        '<body>',
        '</body>',
      ],
      ...[
        '<![CDATA[',
        ']]>',
        '<a title="</noscript><!--">',
        '<annotation-xml encoding="text/html">',
        '\r\n',
        '&lt',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const whole = wholeOrRefused(pieces.join(''));
        expect(leavesAlone(whole), whole).toBe(true);
        expect(closeHtml(whole)).toBe(whole);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '<div>',
    '<b>',
    '<table><tr><td>',
    '<svg>',
    '<template>',
    '<ul><li>',
    '<b><i><p>',
    '<font color=1><p>',
  ])('owner HTML that nests deeply or grows is refused, or closed within the limits: %s', (piece) => {
    const whole = wholeOrRefused(piece.repeat(65_536 / piece.length));
    expect(whole.length).toBeLessThanOrEqual(MAX_CHARACTERS);
    expect(leavesAlone(whole)).toBe(true);
  });

  it('owner HTML may have as many elements as the limit, and no more', () => {
    const most = '<i></i>'.repeat(MAX_ELEMENTS);
    expect(closeHtml(most)).toBe(most);
    expect(() => closeHtml(`${most}<i></i>`)).toThrow('becomes more than 10,000 elements in a browser');
  });

  it('owner HTML that reopens formatting in every paragraph is refused while it is parsed', () => {
    const open = Array.from({ length: 1_500 }, (_, n) => `<b id=${n}>`).join('');
    const began = performance.now();
    expect(() => closeHtml(`<p>${open}${'<p>x'.repeat(12_000)}`)).toThrow(OwnerHtmlRefused);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

function wholeOrRefused(html: string): string {
  try {
    return closeHtml(html);
  } catch (error) {
    if (error instanceof OwnerHtmlRefused) return '';
    throw error;
  }
}
