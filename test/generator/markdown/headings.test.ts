import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../generator/markdown/render.ts';

const ids = (source: string) => renderMarkdown(source).headings.map(({ id }) => id);

describe('heading ids', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['What’s new in `v2.0`?', 'whats-new-in-v20'],
    ['snake_case & kebab-case', 'snake_case--kebab-case'],
    ['*Emphasis* and [a link](/x)', 'emphasis-and-a-link'],
    ['Ünïcode Straße', 'ünïcode-straße'],
    ['Привет, мир', 'привет-мир'],
    ['日本語の見出し（一）', '日本語の見出し一'],
    ['مرحبا بالعالم', 'مرحبا-بالعالم'],
    ['हिन्दी शीर्षक', 'हिन्दी-शीर्षक'],
    ['한국어 제목', '한국어-제목'],
    ['🎉 Party', '-party'],
    ['🎉', 'section'],
  ])('of %s is %s', (heading, id) => {
    expect(ids(`## ${heading}`)).toEqual([id]);
  });

  it('of the same words are numbered', () => {
    expect(ids('# A\n\n# a\n\n## A!')).toEqual(['a', 'a-1', 'a-2']);
  });

  it('never meet a numbered one', () => {
    expect(ids('# a\n\n# a-1\n\n# a\n\n# a-1')).toEqual(['a', 'a-1', 'a-2', 'a-1-1']);
  });

  it('are not those of the footnotes', () => {
    expect(ids('# fn 1\n\nx[^1]\n\n[^1]: note')).toEqual(['fn-1-1']);
  });

  it('have nothing to do with code that speaks of ids', () => {
    const { html, headings } = renderMarkdown(
      '# Intro\n\n    <p id="intro"><a href="#x">\n\n<b id="x">b</b>',
    );
    expect(headings[0]?.id).toBe('intro');
    expect(html).toContain('&lt;p id="intro"&gt;&lt;a href="#x"&gt;');
  });

  it('are given to headings of raw HTML too', () => {
    const { html, headings } = renderMarkdown('<h2 align="center">Raw <b>one</b></h2>');
    expect(headings).toEqual([{ level: 2, id: 'raw-one', text: 'Raw one' }]);
    expect(html).toContain('<h2 id="raw-one" align="center">');
  });
});

describe('headings', () => {
  it('are listed with their level and plain text', () => {
    const { headings } = renderMarkdown(
      '# One & `two`\n\nThree\n---\n\n###### ![Four](x.png) &lt;b&gt; **5**[^n]\n\n[^n]: x',
    );
    expect(headings.map(({ level, text }) => [level, text])).toEqual([
      [1, 'One & two'],
      [2, 'Three'],
      [6, 'Four <b> 5'],
    ]);
  });

  it('end in a link to themselves that has a name', () => {
    const { html } = renderMarkdown('## "Quotes" & more');
    expect(html).toBe(
      '<h2 id="quotes--more">"Quotes" &amp; more' +
        '<a class="anchor" href="#quotes--more" aria-label="Permalink: &quot;Quotes&quot; &amp; more"></a></h2>\n',
    );
  });
});

describe('links within a post', () => {
  it('to an id of the author’s own lead to the prefixed one', () => {
    expect(renderMarkdown('<a id="here"></a>\n\n[go](#here)').html).toContain(
      '<a href="#user-content-here">go</a>',
    );
  });

  it('to an id that a raw heading bore lead to that heading', () => {
    expect(renderMarkdown('<h2 id="old">New name</h2>\n\n[go](#old)').html).toContain(
      '<a href="#new-name">go</a>',
    );
  });

  it('to a heading stay, even where the author has the same id elsewhere', () => {
    expect(renderMarkdown('# Top\n\n<p id="top">x</p>\n\n[go](#top)').html).toContain(
      '<a href="#top">go</a>',
    );
  });

  it('find ids of any script', () => {
    expect(renderMarkdown('<a name="日本"></a> [go](#日本)').html).toContain('href="#user-content-日本"');
  });

  it('to nothing, or ill encoded, stay as they are', () => {
    expect(renderMarkdown('<a id="a"></a> <a href="#%zz">x</a> [y](#b)').html).toMatch(
      /href="#%zz".*href="#b"/,
    );
  });
});
