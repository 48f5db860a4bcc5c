import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../generator/markdown/render.ts';

const hosted = 'https://media.example.org/a&b.webp';
const sizes = new Map([[hosted, { width: 640, height: 480, sources: [] }]]);
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

describe('an image of which there are several files', () => {
  const at = (name: string) => `https://media.example.org/a&b${name}`;
  const files = (format: string) =>
    [480, 800, 1000].map((width) => ({ address: at(`-${width}.${format}`), width }));
  const sources = [
    { type: 'image/avif', files: files('avif') },
    { type: 'image/webp', files: files('webp') },
  ];
  const photo = new Map([
    [at('.jpg'), { width: 1000, height: 750, sources }],
    [
      at('.gif'),
      { width: 300, height: 200, sources: [{ type: 'image/webp', files: files('webp').slice(0, 1) }] },
    ],
  ]);
  const page = (source: string) => renderMarkdown(source, photo).html;
  const srcset = (format: string) =>
    [480, 800, 1000]
      .map((width) => `https://media.example.org/a&amp;b-${width}.${format} ${width}w`)
      .join(', ');
  const sizes = '(min-width: 42rem) 38rem, calc(100vw - 2.5rem)';
  const picture =
    `<picture><source type="image/avif" srcset="${srcset('avif')}" sizes="${sizes}" />` +
    `<source type="image/webp" srcset="${srcset('webp')}" sizes="${sizes}" />` +
    '<img src="https://media.example.org/a&amp;b.jpg" alt="x" width="1000" height="750" loading="lazy" decoding="async" /></picture>';

  it('is a picture of all of them, with itself for who knows none', () => {
    expect(page(`![x](${at('.jpg')})`)).toBe(`<p>${picture}</p>\n`);
  });

  it.each([
    [`[![x](${at('.jpg')})](/a)`, `<a href="/a">${picture}</a>`],
    [`<figure><img src="${at('.jpg')}" alt="x"><figcaption>y</figcaption></figure>`, `<figure>${picture}`],
    [`|a|\n|-|\n|![x](${at('.jpg')})|`, `<td>${picture}</td>`],
    [`- ![x](${at('.jpg')})`, `<li>${picture}</li>`],
    [`مرحبا ![x](${at('.jpg')})`, `<p dir="auto">مرحبا ${picture}</p>`],
    [`## A ![x](${at('.jpg')})`, `>A ${picture}<a class="anchor"`],
  ])('is so wherever it stands: %s', (source, html) => expect(page(source)).toContain(html));

  it('is asked for in the width that it has on the page', () => {
    expect(page(`![](${at('.gif')})`)).toContain(' sizes="(min-width: 340px) 300px, calc(100vw - 40px)" />');
    const given = (width: string) => page(`<img src="${at('.jpg')}" alt="" width="${width}">`);
    expect(given('320')).toContain(' sizes="(min-width: 360px) 320px, calc(100vw - 40px)" />');
    expect(given('320')).toContain(' alt="" width="320" loading="lazy"');
    for (const wide of ['608', '5000', '50%', '3e2', ''])
      expect(given(wide)).toContain(` sizes="${sizes}" />`);
  });

  it.each([
    `<picture><source srcset="/dark.png" media="(prefers-color-scheme: dark)"><img src="${at('.jpg')}"></picture>`,
    `<picture><picture></picture><img src="${at('.jpg')}"></picture>`,
    `<img src="${at('.jpg')}" srcset="/b.jpg 2x">`,
  ])('is what its author makes of it: %s', (source) => {
    const html = page(source);
    expect(html).toContain(`src="https://media.example.org/a&amp;b.jpg"`);
    expect(html).not.toContain('-480.avif');
  });

  it('is one again behind a picture of the author’s', () => {
    const html = page(`<picture><img src="/a.png"></picture> <img src="${at('.jpg')}" alt="x">`);
    expect(html.match(/<picture>/g)).toHaveLength(2);
    expect(html).toContain(picture);
  });

  it('is one file where a post shows more than a thousand', () => {
    const html = page(`![x](${at('.jpg')}) `.repeat(1_003));
    expect(html.match(/<picture>/g)).toHaveLength(1_000);
    expect(html.match(/<img /g)).toHaveLength(1_003);
    expect(html.match(/ width="1000"/g)).toHaveLength(1_003);
  });

  it('says nothing else to search and previews than one file does', () => {
    const source = `## Text ![x](${at('.jpg')})\n\nText ![x](${at('.jpg')}) text`;
    const [one, other] = [renderMarkdown(source), renderMarkdown(source, photo)];
    for (const part of ['headings', 'description', 'text', 'wordCount', 'links'] as const)
      expect(other[part]).toEqual(one[part]);
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
