import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../generator/markdown/render.ts';

const hosted = 'https://media.example.org/c/a&b.webp';
const sizes = new Map([['/c/a&b.webp', { address: hosted, width: 640, height: 480, sources: [] }]]);
const html = (source: string) => renderMarkdown(source, sizes).html;

describe('an image', () => {
  it('an image is loaded when the reader scrolls to it', () => {
    expect(html('![a](https://e.com/a.png)')).toBe(
      '<p><img src="https://e.com/a.png" alt="a" loading="lazy" decoding="async" /></p>\n',
    );
  });

  it('an image of known size reserves its space on the page', () => {
    expect(html(`![a](${hosted})`)).toContain(' alt="a" width="640" height="480" loading="lazy"');
  });

  it('an image has the size that its author gives', () => {
    expect(html(`<img src="${hosted}" width="64" alt="">`)).toContain(' width="64" alt="" loading="lazy"');
  });

  it('an image of unknown size has no size attributes', () => {
    expect(html('![a](https://e.com/a.webp)')).not.toContain('width');
    expect(renderMarkdown(`![a](${hosted})`).html).not.toContain('width');
  });
});

describe('an image with variants', () => {
  const at = (name: string) => `https://media.example.org/c/a&b${name}`;
  const files = (format: string) =>
    [480, 800, 1000].map((width) => ({ address: at(`-${width}.${format}`), width }));
  const sources = [
    { type: 'image/avif', files: files('avif') },
    { type: 'image/webp', files: files('webp') },
  ];
  const photo = new Map([
    ['/c/a&b.jpg', { address: at('.jpg'), width: 1000, height: 750, sources }],
    [
      '/c/a&b.gif',
      {
        address: at('.gif'),
        ...{ width: 300, height: 200 },
        sources: [{ type: 'image/webp', files: files('webp').slice(0, 1) }],
      },
    ],
  ]);
  const page = (source: string) => renderMarkdown(source, photo).html;
  const srcset = (format: string) =>
    [480, 800, 1000]
      .map((width) => `https://media.example.org/c/a&amp;b-${width}.${format} ${width}w`)
      .join(', ');
  const sizes = '(min-width: 46rem) 43rem, calc(100vw - 2.5rem)';
  const picture =
    `<picture><source type="image/avif" srcset="${srcset('avif')}" sizes="${sizes}" />` +
    `<source type="image/webp" srcset="${srcset('webp')}" sizes="${sizes}" />` +
    '<img src="https://media.example.org/c/a&amp;b.jpg" alt="x" width="1000" height="750" loading="lazy" decoding="async" /></picture>';

  it('an image with variants is a picture element, with the original as fallback', () => {
    expect(page(`![x](${at('.jpg')})`)).toBe(`<p>${picture}</p>\n`);
  });

  it.each([
    [`[![x](${at('.jpg')})](/a)`, `<a href="/a">${picture}</a>`],
    [`<figure><img src="${at('.jpg')}" alt="x"><figcaption>y</figcaption></figure>`, `<figure>${picture}`],
    [`|a|\n|-|\n|![x](${at('.jpg')})|`, `<td>${picture}</td>`],
    [`- ![x](${at('.jpg')})`, `<li>${picture}</li>`],
    [`مرحبا ![x](${at('.jpg')})`, `<p dir="auto">مرحبا ${picture}</p>`],
    [`## A ![x](${at('.jpg')})`, `>A ${picture}<a class="anchor"`],
  ])('an image with variants is a picture element at every place: %s', (source, html) =>
    expect(page(source)).toContain(html),
  );

  it('an image with variants declares the width that it has on the page', () => {
    expect(page(`![](${at('.gif')})`)).toContain(' sizes="(min-width: 340px) 300px, calc(100vw - 40px)" />');
    const given = (width: string) => page(`<img src="${at('.jpg')}" alt="" width="${width}">`);
    expect(given('320')).toContain(' sizes="(min-width: 360px) 320px, calc(100vw - 40px)" />');
    expect(given('320')).toContain(' alt="" width="320" loading="lazy"');
    for (const wide of ['688', '5000', '50%', '3e2', ''])
      expect(given(wide)).toContain(` sizes="${sizes}" />`);
  });

  it.each([
    `<picture><source srcset="/dark.png" media="(prefers-color-scheme: dark)"><img src="${at('.jpg')}"></picture>`,
    `<picture><picture></picture><img src="${at('.jpg')}"></picture>`,
    `<img src="${at('.jpg')}" srcset="/b.jpg 2x">`,
  ])('an image with sources of its author’s own gets no variants: %s', (source) => {
    const html = page(source);
    expect(html).toContain(`src="https://media.example.org/c/a&amp;b.jpg"`);
    expect(html).not.toContain('-480.avif');
  });

  it('an image after an author’s own picture element has variants again', () => {
    const html = page(`<picture><img src="/a.png"></picture> <img src="${at('.jpg')}" alt="x">`);
    expect(html.match(/<picture>/g)).toHaveLength(2);
    expect(html).toContain(picture);
  });

  it('every image after the thousandth in a post is one file', () => {
    const html = page(`![x](${at('.jpg')}) `.repeat(1_003));
    expect(html.match(/<picture>/g)).toHaveLength(1_000);
    expect(html.match(/<img /g)).toHaveLength(1_003);
    expect(html.match(/ width="1000"/g)).toHaveLength(1_003);
  });

  it('image variants change neither the searched text nor the description', () => {
    const source = `## Text ![x](${at('.jpg')})\n\nText ![x](${at('.jpg')}) text`;
    const [one, other] = [renderMarkdown(source), renderMarkdown(source, photo)];
    for (const part of ['headings', 'description', 'text', 'wordCount', 'links'] as const)
      expect(other[part]).toEqual(one[part]);
  });
});

describe('the title of an image', () => {
  const lazy = 'loading="lazy" decoding="async" />';

  it('a title is the caption of an image that is alone in a paragraph, as plain text', () => {
    expect(html('![a](/b.png "A *big* <b>c</b> & \\"d\\"")')).toBe(
      `<figure><img src="/b.png" alt="a" ${lazy}<figcaption>A *big* &lt;b&gt;c&lt;/b&gt; &amp; &quot;d&quot;</figcaption></figure>\n`,
    );
  });

  it.each([
    ['in a line of text', 'See ![a](/b.png "c")'],
    ['beside another image', '![a](/b.png "c") ![d](/e.png "f")'],
    ['in a tight list', '- ![a](/b.png "c")'],
    ['without letters', '![a](/b.png "  ")'],
  ])('an image keeps its title %s', (_where, source) => {
    expect(html(source)).not.toContain('<figcaption');
    expect(html(source)).toContain(' title="');
  });

  it('a caption runs in the direction of its first letters', () => {
    expect(html('![a](/b.png "שלום")')).toContain('<figcaption dir="auto">שלום</figcaption>');
  });

  it('a caption is text that readers find, and does not describe the post', () => {
    const { text, description } = renderMarkdown('![a](/b.png "The caption")\n\nThe text.');
    expect(text).toContain('The caption');
    expect(description).toBe('The text.');
  });
});

describe('a Markdown table', () => {
  it('a table scrolls on its own, with the keyboard too', () => {
    expect(html('|a|\n|-|')).toMatch(/^<div class="table" tabindex="0"><table>.*<\/table><\/div>\n$/s);
  });

  it('a table inside a table also scrolls on its own', () => {
    const page = html('<table align="left"><tr><td><table><tr><td>a</td></tr></table></td></tr></table>');
    expect(page.match(/<div class="table" tabindex="0">/g)).toHaveLength(2);
    expect(page.match(/<\/table><\/div>/g)).toHaveLength(2);
  });
});

describe('a callout', () => {
  it.each(['Note', 'Tip', 'Important', 'Warning', 'Caution'])(
    'a callout is marked with its kind: %s',
    (kind) => {
      expect(html(`> [!${kind.toUpperCase()}]\n> Text`)).toBe(
        `<div class="markdown-alert markdown-alert-${kind.toLowerCase()}">\n` +
          `<p class="markdown-alert-title">${kind}</p>\n<p>Text</p>\n</div>\n`,
      );
    },
  );

  it('the kind of a callout is not part of the description', () => {
    expect(renderMarkdown('> [!NOTE]\n> In short.').description).toBe('In short.');
    expect(renderMarkdown('> [!NOTE]\n> In short.\n\nAt length.').description).toBe('At length.');
  });
});

describe('an emoji short code', () => {
  it('a short code becomes the emoji of that name on GitHub', () => {
    expect(html(':tada: :+1: :e-mail: :nonsense: `:tada:`')).toBe(
      '<p>🎉 👍 📧 :nonsense: <code>:tada:</code></p>\n',
    );
  });
});

describe('outbound links', () => {
  it('the outbound links of a post are its absolute addresses, each once, in order', () => {
    expect(
      renderMarkdown(
        '[b](https://b.example/x?y=1&z=2) <http://a.example> [c](/c) [b](https://b.example/x?y=1&z=2) [m](mailto:a@b.c) [p](//p.example)',
      ).links,
    ).toEqual(['https://b.example/x?y=1&z=2', 'http://a.example/', 'https://p.example/']);
  });
});

describe('a short code in a heading', () => {
  it('a short code in a heading is an emoji in the text and a name in the id, as on GitHub', () => {
    const { html: page, headings, description } = renderMarkdown('## :rocket: Quick start\n\nGo :tada:');
    expect(headings).toEqual([{ level: 2, id: 'rocket-quick-start', text: '🚀 Quick start' }]);
    expect(page).toContain('<h2 id="rocket-quick-start">🚀 Quick start<a');
    expect(description).toBe('Go 🎉');
  });

  it.each(['`:tada:`', '<kbd>x</kbd> <code>:tada:</code>', '    :tada:', '$:tada:$', '[x](/:tada:)'])(
    'a short code stays text in %s',
    (source) => expect(html(source)).not.toContain('🎉'),
  );
});

describe('a task list', () => {
  it('a task list with empty lines has its boxes beside their text', () => {
    expect(html('- [ ] a\n\n- [x] b')).toContain('<li class="task-list-item">\n<p><input type="checkbox"');
  });
});

describe('footnotes', () => {
  it('footnotes have a heading for readers who cannot see the line above them', () => {
    expect(html('a[^1]\n\n[^1]: b')).toContain('<section class="footnotes" role="doc-endnotes">');
  });
});

describe('a post with text of both directions', () => {
  it('every block runs in the direction of its first letters, as on GitHub', () => {
    expect(html('A\n\nمرحبا\n\n- [ ] مرحبا\n\n- b')).toContain('<p dir="auto">مرحبا</p>');
    expect(html('<p dir="ltr">مرحبا</p>')).toBe('<p dir="ltr">مرحبا</p>\n');
    expect(html('A')).toBe('<p>A</p>\n');
  });
});

describe('the description of a post', () => {
  it.each(['$$\nx\n$$', '```js\nlet a;\n```', '```mermaid\ngraph TD\nA-->B\n```'])(
    'this source gives no description: %j',
    (source) => {
      expect(renderMarkdown(`${source}\n\nIn words.`).description).toBe('In words.');
    },
  );
});
