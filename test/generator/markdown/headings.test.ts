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
  ])('the heading id of %s is %s', (heading, id) => {
    expect(ids(`## ${heading}`)).toEqual([id]);
  });

  it('ids of headings with equal text are numbered', () => {
    expect(ids('# A\n\n# a\n\n## A!')).toEqual(['a', 'a-1', 'a-2']);
  });

  it('a numbered heading id never equals another id', () => {
    expect(ids('# a\n\n# a-1\n\n# a\n\n# a-1')).toEqual(['a', 'a-1', 'a-2', 'a-1-1']);
  });

  it('heading ids never equal ids of footnotes', () => {
    expect(ids('# fn 1\n\nx[^1]\n\n[^1]: note')).toEqual(['fn-1-1']);
  });

  it('code that looks like an id does not affect heading ids', () => {
    const { html, headings } = renderMarkdown(
      '# Intro\n\n    <p id="intro"><a href="#x">\n\n<b id="x">b</b>',
    );
    expect(headings[0]?.id).toBe('intro');
    expect(html).toContain('&lt;p id="intro"&gt;&lt;a href="#x"&gt;');
  });

  it('headings of raw HTML get ids too', () => {
    const { html, headings } = renderMarkdown('<h2 align="center">Raw <b>one</b></h2>');
    expect(headings).toEqual([{ level: 2, id: 'raw-one', text: 'Raw one' }]);
    expect(html).toContain('<h2 id="raw-one" align="center">');
  });
});

describe('headings', () => {
  it('headings are listed with level and plain text', () => {
    const { headings } = renderMarkdown(
      '# One & `two`\n\nThree\n---\n\n###### ![Four](x.png) &lt;b&gt; **5**[^n]\n\n[^n]: x',
    );
    expect(headings.map(({ level, text }) => [level, text])).toEqual([
      [1, 'One & two'],
      [2, 'Three'],
      [6, 'Four <b> 5'],
    ]);
  });

  it('a heading ends in a named link to itself', () => {
    const { html } = renderMarkdown('## "Quotes" & more');
    expect(html).toBe(
      '<h2 id="quotes--more">"Quotes" &amp; more' +
        '<a class="anchor" href="#quotes--more" aria-label="Permalink: &quot;Quotes&quot; &amp; more"></a></h2>\n',
    );
  });
});

describe('links within a post', () => {
  it('a link to the author’s own id leads to the prefixed id', () => {
    expect(renderMarkdown('<a id="here"></a>\n\n[go](#here)').html).toContain(
      '<a href="#user-content-here">go</a>',
    );
  });

  it('a link to the id of a raw heading leads to that heading', () => {
    expect(renderMarkdown('<h2 id="old">New name</h2>\n\n[go](#old)').html).toContain(
      '<a href="#new-name">go</a>',
    );
  });

  it('a link to a heading stays, even if the author uses the same id elsewhere', () => {
    expect(renderMarkdown('# Top\n\n<p id="top">x</p>\n\n[go](#top)').html).toContain(
      '<a href="#top">go</a>',
    );
  });

  it('a link finds ids in any script', () => {
    expect(renderMarkdown('<a name="日本"></a> [go](#日本)').html).toContain('href="#user-content-日本"');
  });

  it('a link with a missing target or a bad encoding is unchanged', () => {
    expect(renderMarkdown('<a id="a"></a> <a href="#%zz">x</a> [y](#b)').html).toMatch(
      /href="#%zz".*href="#b"/,
    );
  });
});
