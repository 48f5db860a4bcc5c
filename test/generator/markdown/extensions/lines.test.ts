import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../generator/markdown/render.ts';

const html = (source: string) => renderMarkdown(source).html;
const frames = (source: string) =>
  Array.from(html(source).matchAll(/<iframe src="([^"]*)" title="([^"]*)"/g), ([, src, title]) => [
    src,
    title,
  ]);

const embed = (rest: string) => `https://www.youtube-nocookie.com/embed/${rest}`;

describe('a video address alone on its line', () => {
  it.each([
    ['the watch form', 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', 'aqz-KE-bpKQ'],
    ['the watch form without www', 'https://youtube.com/watch?v=aqz-KE-bpKQ', 'aqz-KE-bpKQ'],
    [
      'the watch form among other parameters',
      'https://m.youtube.com/watch?app=x&v=aqz-KE-bpKQ',
      'aqz-KE-bpKQ',
    ],
    ['the short form', 'https://youtu.be/aqz-KE-bpKQ?si=abc', 'aqz-KE-bpKQ'],
    ['the embed form', 'https://www.youtube.com/embed/aqz-KE-bpKQ', 'aqz-KE-bpKQ'],
    ['the embed form without cookies', 'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ', 'aqz-KE-bpKQ'],
    ['without a scheme', 'www.youtube.com/watch?v=aqz-KE-bpKQ', 'aqz-KE-bpKQ'],
    ['with a start time', 'https://youtu.be/aqz-KE-bpKQ?t=1m30s', 'aqz-KE-bpKQ?start=90'],
    ['with a start in seconds', 'https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=7', 'aqz-KE-bpKQ?start=7'],
    [
      'with the start of an embed',
      'https://www.youtube.com/embed/aqz-KE-bpKQ?start=3',
      'aqz-KE-bpKQ?start=3',
    ],
  ])('a video address becomes a frame that sets no cookie: %s', (_, address, expected) => {
    expect(frames(address)).toEqual([[embed(expected), 'YouTube video']]);
  });

  it('the lines around a video address stay a paragraph', () => {
    const page = html('Before\n**it**\nhttps://youtu.be/aqz-KE-bpKQ\nafter');
    expect(page).toMatch(
      /^<p>Before\n<strong>it<\/strong><\/p>\n<figure class="video">.*<\/figure>\n<p>after<\/p>\n$/s,
    );
  });

  it('a video frame loads when the reader scrolls to it, sends its origin, and has a title of its own', () => {
    const page = html('https://youtu.be/aqz-KE-bpKQ\n\nhttps://youtu.be/dQw4w9WgXcQ');
    expect(page).toContain('loading="lazy"');
    expect(page).toContain('referrerpolicy="strict-origin-when-cross-origin"');
    expect(page).toContain('>https://www.youtube.com/watch?v=aqz-KE-bpKQ</a>');
    expect(
      frames('https://youtu.be/aqz-KE-bpKQ\n\nhttps://youtu.be/dQw4w9WgXcQ').map(([, title]) => title),
    ).toEqual(['YouTube video', 'YouTube video 2']);
  });

  it('a video address after a hundred others stays a link', () => {
    expect(html('https://youtu.be/aqz-KE-bpKQ\n\n'.repeat(101)).match(/<iframe/g)).toHaveLength(100);
  });

  it.each([
    ['in a sentence', 'See https://youtu.be/aqz-KE-bpKQ'],
    ['as the address of a named link', '[it](https://youtu.be/aqz-KE-bpKQ)'],
    ['in a list', '- https://youtu.be/aqz-KE-bpKQ\n\n- b'],
    ['in a quotation', '> https://youtu.be/aqz-KE-bpKQ'],
    ['in an element that spans lines', '**a\nhttps://youtu.be/aqz-KE-bpKQ\nb**'],
    ['within a value', '<a title="\nhttps://youtu.be/aqz-KE-bpKQ\n">x</a>'],
    ['in code', '    https://youtu.be/aqz-KE-bpKQ'],
    ['without an id', 'https://www.youtube.com/watch?v='],
    ['with an id of another length', 'https://youtu.be/aqz-KE-bpKQQ'],
    ['with more of a path', 'https://youtu.be/aqz-KE-bpKQ/x'],
    ['at another host', 'https://youtube.com.example.org/watch?v=aqz-KE-bpKQ'],
    ['at another port', 'https://www.youtube.com:444/watch?v=aqz-KE-bpKQ'],
    ['with a user', 'https://x@www.youtube.com/watch?v=aqz-KE-bpKQ'],
    ['of a playlist', 'https://www.youtube.com/playlist?list=PLx'],
    ['of another site', 'https://vimeo.com/1234567'],
    ['written as a frame', '<iframe src="https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ"></iframe>'],
  ])('a video address does not become a frame %s', (_, source) => {
    expect(html(source)).not.toContain('<iframe');
  });
});

describe('the table of contents of a post', () => {
  const post = (marker: string, headings = '# A\n\n## B `c`\n\n### D\n\n## E') => `${marker}\n\n${headings}`;

  it.each(['[TOC]', '[toc]', '[[toc]]', '[[TOC]]'])(
    'the table of contents replaces %s alone on its line',
    (marker) => {
      expect(html(post(marker))).toContain(
        '<nav class="toc" aria-label="Contents"><ul><li><a href="#a">A</a><ul>' +
          '<li><a href="#b-c">B c</a><ul><li><a href="#d">D</a></li></ul></li>' +
          '<li><a href="#e">E</a></li></ul></li></ul></nav>\n<h1',
      );
    },
  );

  it('the table of contents has well-formed lists for any order of heading levels', () => {
    expect(html('[TOC]\n\n### A\n\n## B\n\n##### C\n\n### D\n\n# E')).toContain(
      '<ul><li><a href="#a">A</a></li><li><a href="#b">B</a><ul><li><a href="#c">C</a></li><li><a href="#d">D</a></li></ul></li>' +
        '<li><a href="#e">E</a></li></ul></nav>',
    );
  });

  it('the table of contents appears once', () => {
    const page = html(post('[TOC]\n[TOC]\n\n[TOC]'));
    expect(page.match(/<nav/g)).toHaveLength(1);
    expect(page).not.toContain('TOC');
    expect(html('[TOC]\n\n#\n\n# A')).toContain('<ul><li><a href="#a">A</a></li></ul>');
  });

  it('the table of contents is left out of a post without headings', () => {
    expect(html('[TOC]\n\ntext')).toBe('\n<p>text</p>\n');
  });

  it.each(['See [TOC]', '`[TOC]`', '- [TOC]', '[TOC]\n\n[toc]: /there', '<i title="\n[TOC]\n">x</i>'])(
    'this does not request a table of contents: %j',
    (source) => expect(html(`${source}\n\n# A`)).not.toContain('<nav'),
  );

  it('the table of contents is not part of the description or the text', () => {
    const { description, text } = renderMarkdown('[TOC]\n\nFirst words.\n\n# A');
    expect({ description, text }).toEqual({ description: 'First words.', text: 'First words. A' });
  });

  it('the table of contents shows headings as text', () => {
    expect(html('[TOC]\n\n# <b>a</b> &lt;i&gt; "q"')).toContain(
      '<a href="#a-i-q">a &lt;i&gt; &quot;q&quot;</a>',
    );
  });
});
