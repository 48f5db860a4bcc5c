import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../generator/markdown/render.ts';

const hosted = 'https://media.example.org/a&b.webp';
const sizes = new Map([[hosted, { width: 640, height: 480 }]]);
const html = (source: string) => renderMarkdown(source, sizes).html;

describe('an image', () => {
  it('is loaded when it is scrolled to', () => {
    expect(html('![a](https://e.com/a.png "t")')).toBe(
      '<p><img src="https://e.com/a.png" alt="a" title="t" loading="lazy" decoding="async" /></p>\n',
    );
  });

  it('keeps its place on the page where its size is known', () => {
    expect(html(`![a](${hosted})`)).toContain(' alt="a" width="640" height="480" loading="lazy"');
  });

  it('has the size that the author gives it', () => {
    expect(html(`<img src="${hosted}" width="64" alt="">`)).toContain(' width="64" alt="" loading="lazy"');
  });

  it('has none where it is not', () => {
    expect(html('![a](https://e.com/a.webp)')).not.toContain('width');
    expect(renderMarkdown(`![a](${hosted})`).html).not.toContain('width');
  });
});

describe('a table', () => {
  it('scrolls by itself, with the keyboard too', () => {
    expect(html('|a|\n|-|')).toMatch(/^<div class="table" tabindex="0"><table>.*<\/table><\/div>\n$/s);
  });

  it('in a table is one as well', () => {
    const page = html('<table align="left"><tr><td><table><tr><td>a</td></tr></table></td></tr></table>');
    expect(page.match(/<div class="table" tabindex="0">/g)).toHaveLength(2);
    expect(page.match(/<\/table><\/div>/g)).toHaveLength(2);
  });
});

describe('a callout', () => {
  it.each(['Note', 'Tip', 'Important', 'Warning', 'Caution'])('is marked with its kind: %s', (kind) => {
    expect(html(`> [!${kind.toUpperCase()}]\n> Text`)).toBe(
      `<div class="markdown-alert markdown-alert-${kind.toLowerCase()}">\n` +
        `<p class="markdown-alert-title">${kind}</p>\n<p>Text</p>\n</div>\n`,
    );
  });

  it('does not describe the post with its kind', () => {
    expect(renderMarkdown('> [!NOTE]\n> In short.').description).toBe('In short.');
    expect(renderMarkdown('> [!NOTE]\n> In short.\n\nAt length.').description).toBe('At length.');
  });
});

describe('a short code', () => {
  it('is the emoji of that name, as on GitHub', () => {
    expect(html(':tada: :+1: :e-mail: :nonsense: `:tada:`')).toBe(
      '<p>🎉 👍 📧 :nonsense: <code>:tada:</code></p>\n',
    );
  });
});

describe('outbound links', () => {
  it('are the absolute addresses, each once, in order', () => {
    expect(
      renderMarkdown(
        '[b](https://b.example/x?y=1&z=2) <http://a.example> [c](/c) [b](https://b.example/x?y=1&z=2) [m](mailto:a@b.c) [p](//p.example)',
      ).links,
    ).toEqual(['https://b.example/x?y=1&z=2', 'http://a.example/', 'https://p.example/']);
  });
});

describe('a short code in a heading', () => {
  it('is an emoji to readers, and its name in the id, as on GitHub', () => {
    const { html: page, headings, description } = renderMarkdown('## :rocket: Quick start\n\nGo :tada:');
    expect(headings).toEqual([{ level: 2, id: 'rocket-quick-start', text: '🚀 Quick start' }]);
    expect(page).toContain('<h2 id="rocket-quick-start">🚀 Quick start<a');
    expect(description).toBe('Go 🎉');
  });

  it.each(['`:tada:`', '<kbd>x</kbd> <code>:tada:</code>', '    :tada:', '$:tada:$', '[x](/:tada:)'])(
    'stays as it is in %s',
    (source) => expect(html(source)).not.toContain('🎉'),
  );
});

describe('a list of tasks', () => {
  it('with empty lines has its boxes beside their words', () => {
    expect(html('- [ ] a\n\n- [x] b')).toContain('<li class="task-list-item">\n<p><input type="checkbox"');
  });
});

describe('footnotes', () => {
  it('are named for those who cannot see the line above them', () => {
    expect(html('a[^1]\n\n[^1]: b')).toContain('<section class="footnotes" role="doc-endnotes">');
  });
});

describe('a post in letters of both directions', () => {
  it('has blocks that each run as they begin, as on GitHub', () => {
    expect(html('A\n\nمرحبا\n\n- [ ] مرحبا\n\n- b')).toContain('<p dir="auto">مرحبا</p>');
    expect(html('<p dir="ltr">مرحبا</p>')).toBe('<p dir="ltr">مرحبا</p>\n');
    expect(html('A')).toBe('<p>A</p>\n');
  });
});

describe('the description of a post', () => {
  it.each(['$$\nx\n$$', '```js\nlet a;\n```', '```mermaid\ngraph TD\nA-->B\n```'])(
    'is no source: %j',
    (source) => {
      expect(renderMarkdown(`${source}\n\nIn words.`).description).toBe('In words.');
    },
  );
});
