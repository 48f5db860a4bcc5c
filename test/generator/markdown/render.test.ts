// Slow: renders every post of the corpus, and random sources.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../generator/markdown/render.ts';
import { runningText } from '../../../generator/markdown/text/running-text.ts';
import { corpusDir } from '../../support/corpus.ts';
import { offences } from './safe-html.ts';

const html = (source: string) => renderMarkdown(source).html;

describe('rendered HTML', () => {
  it('tables keep their alignment', () => {
    expect(html('|a|b|\n|:-:|-:|\n|1|2|')).toContain(
      '<td class="align-center">1</td>\n<td class="align-right">2</td>',
    );
  });

  it('strikethrough and bare addresses are rendered', () => {
    expect(html('~~old~~ www.e.com')).toBe(
      '<p><del>old</del> <a href="http://www.e.com" rel="nofollow ugc noopener">www.e.com</a></p>\n',
    );
  });

  it('task lists have disabled, named checkboxes', () => {
    expect(html('- [x] done\n- [ ] open')).toBe(
      '<ul class="contains-task-list">\n' +
        '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" checked disabled aria-label="Completed task" /> done</li>\n' +
        '<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled aria-label="Incomplete task" /> open</li>\n' +
        '</ul>\n',
    );
  });

  it.each(['1', 'a-b', '日本', 'q"<'])('footnotes have links in both directions: [^%s]', (name) => {
    const page = html(`x[^${name}] y[^${name}]\n\n[^${name}]: note`);
    const targets = new Set(Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id));
    const links = Array.from(page.matchAll(/ href="#([^"]*)"/g), ([, id]) => id);
    expect(links).toHaveLength(4);
    expect(links.filter((link) => !targets.has(link))).toEqual([]);
    expect(targets.size).toBe(3);
  });

  it('a footnote defined twice has one id and both texts', () => {
    const page = html('x[^b] y[^a]\n\n[^a]: one\n\n[^a]: two\n\n[^b]: three');
    expect(page.match(/<li id="[^"]*">/g)).toEqual(['<li id="fn-b">', '<li id="fn-a">']);
    expect(page).toMatch(/<p>one <\/p>\n<p>two <a href="#fnref-a" [^>]*"Back to reference 2">/);
  });

  it('ids are unique if a footnote name looks like a second reference to another', () => {
    const page = html('x[^x] y[^x] z[^x-2]\n\n[^x]: one\n\n[^x-2]: two');
    const ids = Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const back = /<li id="fn-x-2">\n<p>two <a href="#([^"]*)"/.exec(page)?.[1];
    expect(page).toContain(`<a href="#fn-x-2" id="${back}">`);
  });

  it('ids and classes of footnotes and callouts cannot come from the author', () => {
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

  it('tags that GFM disallows are shown as text, and nothing after them is lost', () => {
    expect(html('Put it in the <title> or a <script> tag.\n\nThen go on.')).toBe(
      '<p>Put it in the &lt;title&gt; or a &lt;script&gt; tag.</p>\n<p>Then go on.</p>\n',
    );
  });

  it('emphasis ends at CJK punctuation', () => {
    expect(html('**注意：**これは')).toBe('<p><strong>注意：</strong>これは</p>\n');
  });

  it('code has a class for its language', () => {
    expect(html('```ts\na < b\n```')).toBe(
      '<pre tabindex="0"><code class="language-ts">a &lt; b\n</code></pre>\n',
    );
  });

  it('any source is rendered the same every time', () => {
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

describe('the plain text of a post', () => {
  it('the plain text holds everything written, code and alternative text included, and no markup', () => {
    const source =
      '# Title\n\nA *b*<br>c &lt;d&gt; ![e](f.png "g")\n\n- h\n- [ ] i\n\n|j|k|\n|-|-|\n|l|m|\n\n```\nn  <o>\n```';
    expect(renderMarkdown(source).text).toBe('Title A b c <d> [e] h i \u241e j k l m n <o>');
  });

  it('the plain text holds footnotes without their numbers and arrows', () => {
    expect(renderMarkdown('Word[^1] and[^1]\n\n[^1]: Note *this*').text).toBe('Word and Note this');
  });

  it('the plain text reads formulas in characters', () => {
    expect(renderMarkdown('So $\\frac{a+b}{2} \\le x_i^2$ or $\\sqrt{n}$.').text).toBe(
      'So (a+b)/2≤x_i^2 or √n.',
    );
    expect(renderMarkdown('A $\\frac{1$ b').text).toBe('A b');
  });

  it('the plain text holds the titles and words of diagrams, not their source', () => {
    const drawn = '```mermaid\nflowchart LR\n  accTitle: The way\n  a[Draft] --> b[Edge]\n```';
    const undrawn = '```mermaid\npie\n  "Posters": 60\n```';
    expect(renderMarkdown(`One.\n\n${drawn}\n\nTwo.\n\n${undrawn}\n\nThree.`).text).toBe(
      'One. Two. Three. \u241e The way, Draft, Edge',
    );
  });

  it('the running text comes first, without code, tables and formulas that stand alone', () => {
    const source = [
      '```sh\nnpm start\n```\n\nRun `npm` first. \u241e Then $x^2$:',
      '$$\ny^2\n$$\n\n| a | b |\n|-|-|\n| c | `d` |\n\n> Quoted.\n>\n>     indented\n\nEnd.[^1]\n\n[^1]: Note.',
    ].join('\n\n');
    const { text } = renderMarkdown(source);
    expect(text).toBe('Run npm first. Then x^2: Quoted. End. Note. \u241e npm start y^2 a b c d indented');
    expect(runningText(text)).toBe('Run npm first. Then x^2: Quoted. End. Note.');
  });

  it('a post of only code has no running text, and one of only prose has nothing else', () => {
    const { text } = renderMarkdown('```\nonly code\n```');
    expect(text).toContain('only code');
    expect(runningText(text)).toBe('');
    expect(renderMarkdown('Only prose.').text).toBe('Only prose.');
  });

  it('the plain text holds headings once, despite a table of contents', () => {
    expect(renderMarkdown('[TOC]\n\n## Ink').text).toBe('Ink');
  });

  it('the plain text keeps a partly marked-up word in one piece', () => {
    expect(renderMarkdown('un**bel**iev<sub>a</sub>ble').text).toBe('unbelievable');
  });

  it('the language of a post is that of its running text, because code is in Latin letters', () => {
    const code = `\n\n\`\`\`\n${'const paper = fold(sheet);\n'.repeat(20)}\`\`\``;
    expect(renderMarkdown(`مرحبا بالعالم${code}`).lang).toBe('ar');
    expect(renderMarkdown(`Hello${code}`).lang).toBeNull();
  });

  it('the plain text of a post without text is empty', () => {
    for (const source of ['', ' \n\t\n', '---', '<!-- x -->', '![](x.png)']) {
      expect(renderMarkdown(source)).toMatchObject({
        text: '',
        description: '',
        wordCount: 0,
        lang: 'und',
        headings: [],
      });
    }
  });
});

const corpus = corpusDir();
if (corpus !== null) {
  it('real posts are rendered whole and safe', () => {
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
