import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../generator/markdown/render.ts';
import { corpusDir } from '../../support/corpus.ts';
import { offences } from './safe-html.ts';

const html = (source: string) => renderMarkdown(source).html;

describe('rendered HTML', () => {
  it('has tables with their alignment', () => {
    expect(html('|a|b|\n|:-:|-:|\n|1|2|')).toContain(
      '<td class="align-center">1</td>\n<td class="align-right">2</td>',
    );
  });

  it('has strikethrough and links made of bare addresses', () => {
    expect(html('~~old~~ www.e.com')).toBe(
      '<p><del>old</del> <a href="http://www.e.com" rel="nofollow ugc noopener">www.e.com</a></p>\n',
    );
  });

  it('has task lists of disabled, named checkboxes', () => {
    expect(html('- [x] done\n- [ ] open')).toBe(
      '<ul class="contains-task-list">\n' +
        '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" checked disabled aria-label="Completed task" /> done</li>\n' +
        '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled aria-label="Incomplete task" /> open</li>\n' +
        '</ul>\n',
    );
  });

  it.each(['1', 'a-b', '日本', 'q"<'])('has footnotes whose links work both ways: [^%s]', (name) => {
    const page = html(`x[^${name}] y[^${name}]\n\n[^${name}]: note`);
    const targets = new Set(Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id));
    const links = Array.from(page.matchAll(/ href="#([^"]*)"/g), ([, id]) => id);
    expect(links).toHaveLength(4);
    expect(links.filter((link) => !targets.has(link))).toEqual([]);
    expect(targets.size).toBe(3);
  });

  it('gives a footnote that is defined twice one id, with both texts', () => {
    const page = html('x[^b] y[^a]\n\n[^a]: one\n\n[^a]: two\n\n[^b]: three');
    expect(page.match(/<li id="[^"]*">/g)).toEqual(['<li id="fn-b">', '<li id="fn-a">']);
    expect(page).toMatch(/<p>one <\/p>\n<p>two <a href="#fnref-a" [^>]*"Back to reference 2">/);
  });

  it('gives no id twice where a name looks like the second reference to another', () => {
    const page = html('x[^x] y[^x] z[^x-2]\n\n[^x]: one\n\n[^x-2]: two');
    const ids = Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const back = /<li id="fn-x-2">\n<p>two <a href="#([^"]*)"/.exec(page)?.[1];
    expect(page).toContain(`<a href="#fn-x-2" id="${back}">`);
  });

  it('takes no id and no class of a footnote or a callout from an author', () => {
    const page = html(
      '<p id="fn-a" class="footnotes">me</p> <div class="markdown-alert markdown-alert-note"></div>\n\n' +
        '[me](#fn-b) x[^a]<sup class="footnote-ref">x</sup> <b id="fn-b">b</b>\n\n[^a]: Note with `class="footnotes"`.',
    );
    expect(page).toContain('<p id="user-content-fn-a">me</p> <div></div>');
    expect(page).toContain('<a href="#user-content-fn-b">me</a>');
    expect(page).toContain('<sup>x</sup> <b id="user-content-fn-b">b</b>');
    expect(page).toContain('<a href="#fn-a" id="fnref-a">1</a>');
    expect(page).toContain('<section class="footnotes" role="doc-endnotes">\n<ol>\n<li id="fn-a">');
    expect(page).toContain('<code>class="footnotes"</code>');
  });

  it('shows tags that GFM disallows as text, and loses nothing after them', () => {
    expect(html('Put it in the <title> or a <script> tag.\n\nThen go on.')).toBe(
      '<p>Put it in the &lt;title&gt; or a &lt;script&gt; tag.</p>\n<p>Then go on.</p>\n',
    );
  });

  it('ends emphasis at CJK punctuation', () => {
    expect(html('**注意：**これは')).toBe('<p><strong>注意：</strong>これは</p>\n');
  });

  it('names the language of code', () => {
    expect(html('```ts\na < b\n```')).toBe(
      '<pre tabindex="0"><code class="language-ts">a &lt; b\n</code></pre>\n',
    );
  });

  it('is the same every time, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (source) => {
        const once = renderMarkdown(source);
        expect(renderMarkdown(source)).toEqual(once);
        expect(offences(once.html)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the plain text', () => {
  it('has all that is written, code and alternative text included, and no markup', () => {
    const source =
      '# Title\n\nA *b*<br>c &lt;d&gt; ![e](f.png "g")\n\n- h\n- [ ] i\n\n|j|k|\n|-|-|\n|l|m|\n\n```\nn  <o>\n```';
    expect(renderMarkdown(source).text).toBe('Title A b c <d> [e] h i j k l m n <o>');
  });

  it('has footnotes without their numbers and arrows', () => {
    expect(renderMarkdown('Word[^1] and[^1]\n\n[^1]: Note *this*').text).toBe('Word and Note this');
  });

  it('reads formulas in characters', () => {
    expect(renderMarkdown('So $\\frac{a+b}{2} \\le x_i^2$ or $\\sqrt{n}$.').text).toBe(
      'So (a+b)/2≤x_i^2 or √n.',
    );
    expect(renderMarkdown('A $\\frac{1$ b').text).toBe('A b');
  });

  it('names diagrams and has their words, not their source', () => {
    const drawn = '```mermaid\nflowchart LR\n  accTitle: The way\n  a[Draft] --> b[Edge]\n```';
    const undrawn = '```mermaid\npie\n  "Posters": 60\n```';
    expect(renderMarkdown(`One.\n\n${drawn}\n\nTwo.\n\n${undrawn}\n\nThree.`).text).toBe(
      'One. [The way, Draft, Edge] Two. Three.',
    );
  });

  it('has headings once, whatever a table of contents repeats', () => {
    expect(renderMarkdown('[TOC]\n\n## Ink').text).toBe('Ink');
  });

  it('does not take apart a word that is marked up in part', () => {
    expect(renderMarkdown('un**bel**iev<sub>a</sub>ble').text).toBe('unbelievable');
  });

  it('is empty for a post without text', () => {
    for (const source of ['', ' \n\t\n', '---', '<!-- x -->', '![](x.png)']) {
      expect(renderMarkdown(source)).toMatchObject({
        text: '',
        description: '',
        wordCount: 0,
        lang: null,
        headings: [],
      });
    }
  });
});

const corpus = corpusDir();
if (corpus !== null) {
  it('real posts come out whole and safe', () => {
    const folder = join(corpus, 'posts');
    const posts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    expect(posts.length).toBeGreaterThan(50);
    for (const post of posts) {
      const rendered = renderMarkdown(readFileSync(join(folder, post), 'utf8'));
      expect(offences(rendered.html), post).toEqual([]);
      expect(rendered.description, post).toMatch(/^\S.*\S$/u);
      expect(rendered.wordCount, post).toBeGreaterThan(20);
      expect(new Set(rendered.headings.map(({ id }) => id)).size, post).toBe(rendered.headings.length);
    }
  });
}
