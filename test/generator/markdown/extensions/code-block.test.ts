// Slow: loads the grammars of all languages, colours a text in each, and renders hundreds of random blocks.
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFenceInfo } from '../../../../generator/markdown/extensions/fence-info.ts';
import { grammarOf } from '../../../../generator/markdown/extensions/grammars.ts';
import { highlightCode } from '../../../../generator/markdown/extensions/highlight.ts';
import { renderMarkdown } from '../../../../generator/markdown/render.ts';
import { cpuTime } from '../../../support/cpu.ts';

interface Library {
  listLanguages(): string[];
  getLanguage(name: string): { aliases?: string[] };
}

const html = (source: string) => renderMarkdown(source).html;
const fence = (info: string, code: string) => html(`\`\`\`${info}\n${code}\n\`\`\``);
const textOf = (page: string) => page.replace(/<[^>]*>/g, '');

describe('a code block', () => {
  it('a code block is coloured by classes, in the language named by its fence', () => {
    expect(fence('js', 'const a = 1; // <b>')).toBe(
      '<pre tabindex="0"><code class="language-js"><span class="hljs-keyword">const</span> a = ' +
        '<span class="hljs-number">1</span>; <span class="hljs-comment">// &lt;b&gt;</span>\n</code></pre>\n',
    );
  });

  it.each(['', 'text', 'nonsense'])('a code block stays plain in the language %j', (language) => {
    expect(fence(language, 'a <b> & "c"')).toMatch(/><code[^<]*>a &lt;b&gt; &amp; "c"\n<\/code><\/pre>\n$/);
  });

  it('the quotes of coloured code are quotes in the text of a post', () => {
    const { html, text } = renderMarkdown("```js\nconst a = 'b\"&#x27;';\n```");
    expect(text).toBe("\u241e const a = 'b\"&#x27;';");
    expect(html).toContain("'b&quot;&amp;#x27;'");
  });

  it('a code block can have a title', () => {
    expect(fence('ts title="a <b>.ts"', 'x')).toBe(
      '<figure class="code"><figcaption>a &lt;b&gt;.ts</figcaption>' +
        '<pre tabindex="0"><code class="language-ts">x\n</code></pre></figure>\n',
    );
  });

  it('the line numbers of a code block are not part of its text', () => {
    const page = fence('text showLineNumbers', 'a\n\nb');
    expect(page).toContain(
      '<span class="line" data-line="1">a</span>\n<span class="line" data-line="2"></span>\n<span class="line" data-line="3">b</span>\n</code>',
    );
    expect(textOf(page)).toBe('a\n\nb\n\n');
    expect(fence('text showLineNumbers=41', 'a\nb')).toContain('data-line="42">b<');
  });

  it('a code block can highlight lines', () => {
    expect(fence('text {2,4-5}', 'a\nb\nc\nd\ne')).toContain(
      '<span class="line">a</span>\n<mark class="line">b</mark>\n<span class="line">c</span>\n' +
        '<mark class="line">d</mark>\n<mark class="line">e</mark>\n</code>',
    );
  });

  it('a code block has the same line endings for every kind sent', () => {
    expect(fence('js {1}', 'a\r\nb').includes('\r')).toBe(false);
    expect(html('```js {1}\r\na\rb\r\n```')).toBe(fence('js {1}', 'a\nb'));
  });

  it('a coloured token that spans lines is split into one per line', () => {
    expect(fence('js {2}', '/* a\nb */ c')).toContain(
      '<span class="line"><span class="hljs-comment">/* a</span></span>\n' +
        '<mark class="line"><span class="hljs-comment">b */</span> c</mark>\n',
    );
  });

  it('a code block shows a patch', () => {
    expect(fence('diff', '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z')).toContain(
      '<span class="line">--- a</span>\n<span class="line">+++ b</span>\n<span class="line">@@ -1 +1 @@</span>\n' +
        '<del class="line">-x</del>\n<ins class="line">+y</ins>\n<span class="line"> z</span>\n',
    );
  });

  it('a code block in a language can also show changed lines', () => {
    expect(fence('js diff', ' a\n-let b\n+let c')).toContain(
      '<span class="line"> a</span>\n' +
        '<del class="line">-<span class="hljs-keyword">let</span> b</del>\n' +
        '<ins class="line">+<span class="hljs-keyword">let</span> c</ins>\n',
    );
  });

  it('a code block keeps every character of any code and with any options', () => {
    const infos = ['', 'js', 'diff', 'ts diff {1-3}', 'python showLineNumbers', 'html {2} title=x'];
    const code = fc.array(
      fc.constantFrom('a', '"', '<', '&amp;', '+', '-', ' ', '\n', '/*', '*/', '`', '{', 'é', '$x$'),
      {
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(fc.constantFrom(...infos), code, (info, parts) => {
        const source = parts.join('');
        const page = html(`~~~~${info}\n${source}\n~~~~`).replace(/<figcaption>.*?<\/figcaption>/, '');
        const shown = textOf(page)
          .replace(/&lt;/g, '<')
          .replace(/&gt;/g, '>')
          .replaceAll('&quot;', '"')
          .replace(/&amp;/g, '&');
        expect(shown).toBe(`${source}\n\n`);
      }),
      { numRuns: 300 },
    );
  });

  it('a code block scrolls with the keyboard, even if the author wrote it in HTML', () => {
    expect(html('<pre>a <b>b</b></pre>')).toBe('<pre tabindex="0">a <b>b</b></pre>\n');
    expect(html('    indented')).toBe('<pre tabindex="0"><code>indented\n</code></pre>\n');
  });

  it('the marks of the parser are removed from the HTML', () => {
    expect(
      html(
        '<code data-meta="{1}" data-math-style="inline"><i>x</i></code> <span data-math-style="display"><i>y</i></span>',
      ),
    ).toBe('<p><code><i>x</i></code> <span><i>y</i></span></p>\n');
  });

  it('a code block stays plain if colouring would take long: with a line of 1,000 characters or 20,000 in all', () => {
    expect(fence('js', `let ${'a'.repeat(900)}`)).toContain('hljs-keyword');
    expect(fence('js', `let ${'a'.repeat(1000)}`)).not.toContain('hljs-keyword');
    expect(fence('js', 'let a;\n'.repeat(2_800))).toContain('hljs-keyword');
    expect(fence('js', 'let a;\n'.repeat(2_900))).not.toContain('hljs-keyword');
  });
});

describe('the first line of a fence', () => {
  it.each([
    ['rust,ignore', '', { language: 'rust' }],
    ['js:app.js', '', { language: 'js' }],
    ['js', 'ins={1} {3-1} showLineNumbers="5"', { ranges: [[1, 3]], firstLine: 5 }],
    ['js', 'showLineNumbers=false', { firstLine: null }],
    ['ts', '', { language: 'ts', title: '', firstLine: null, ranges: [], diff: false }],
    [
      'ts',
      "title='a b' {1,3-5} diff",
      {
        title: 'a b',
        ranges: [
          [1, 1],
          [3, 5],
        ],
        diff: true,
      },
    ],
    ['js{2}', '', { language: 'js', ranges: [[2, 2]] }],
    ['', 'title=a.ts', { title: 'a.ts' }],
    ['py', 'showLineNumbers{7}', { firstLine: 7 }],
    ['Diff', '', { language: 'Diff', diff: true }],
    ['js', 'different {a} title nonsense', { title: '', ranges: [], diff: false }],
    [
      'js',
      '{ 1 , 2 - 3 }',
      {
        ranges: [
          [1, 1],
          [2, 3],
        ],
      },
    ],
  ])('the fence line is parsed: %s %s', (language, meta, expected) => {
    expect(readFenceInfo(language, meta)).toMatchObject(expected);
  });

  it('a fence may highlight any lines in time bounded by the number of its lines', async () => {
    const render = () => fence(`text {${'1-999999,'.repeat(50_000)}}`, 'a\n'.repeat(10_000));
    expect(await cpuTime(render)).toBeLessThan(2_000);
  });
});

describe('the grammars of code', () => {
  const library: Library = createRequire(import.meta.url)('highlight.js');

  it('every grammar of the library is available under all its names', () => {
    const taken = new Map<string, string>();
    for (const name of library.listLanguages()) {
      for (const alias of [name, ...(library.getLanguage(name).aliases ?? [])]) taken.set(alias, name);
    }
    const wrong = [...taken].filter(([alias, name]) => {
      const grammar = grammarOf(alias);
      return (
        grammar !== name && !(grammar !== undefined && library.getLanguage(grammar).aliases?.includes(alias))
      );
    });
    expect(wrong).toEqual([]);
  });

  it('every grammar colours something and never fails', () => {
    for (const name of library.listLanguages()) {
      expect(typeof (highlightCode('a = "b" # <c>\n', name) ?? ''), name).toBe('string');
    }
  });

  it('a grammar colours the same whatever was coloured before', async () => {
    const code = 'POST / HTTP/1.1\nHost: a\nContent-Type: text/x\n\n<p style="a:b">let x = 1;</p>';
    const before = highlightCode(code, 'http');
    for (const name of library.listLanguages()) highlightCode('a', name);
    expect(highlightCode(code, 'http')).toBe(before);
  });
});
