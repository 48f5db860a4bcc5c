import { describe, expect, it } from 'vitest';
import type { Imported } from './import-of.ts';
import { imageServer, importOf } from './import-of.ts';
import { item, wxr } from './wxr.ts';

const importWxr = (...items: readonly string[]): Promise<Imported> =>
  importOf({ 'blog.xml': wxr(...items) }, 'blog.xml', { images: false });
const contentOf = async (content: string, ...others: readonly string[]) => {
  const found = await importWxr(item({ content }), ...others);
  return { content: found.posts.ink?.content, text: found.text };
};

describe('an export of WordPress', () => {
  it('becomes posts and pages with all that Platen has for them', async () => {
    const { url } = await imageServer();
    const found = await importOf(
      {
        'blog.xml': wxr(
          item({
            title: 'Ink &amp; more',
            sticky: true,
            excerpt: 'A <b>short</b> word.',
            content: `See <a href="https://old.example/2020/02/paper/#a">paper</a>.\n\n<img src="${url}/uploads/pot-300x200.png" alt="Pot" class="x">`,
            categories: [
              ['category', 'uncategorized', 'Uncategorized'],
              ['category', 'craft', 'Craft &amp; art'],
              ['post_tag', 'ink', 'ink'],
              ['post_format', 'post-format-aside', 'Aside'],
              ['series', 'materials', 'Materials'],
            ],
            meta: { _thumbnail_id: '9', _wp_old_slug: 'tinte', _series_part: '2' },
          }),
          item({ id: 2, title: 'Paper', name: 'paper', meta: { _yoast_wpseo_metadesc: 'On paper.' } }),
          item({ id: 3, title: 'About', name: 'about', type: 'page', link: 'https://old.example/about/' }),
          item({
            ...{ id: 9, type: 'attachment', status: 'inherit', attachment: `${url}/uploads/pot.png` },
            meta: { _wp_attachment_image_alt: 'A pot' },
          }),
        ),
      },
      'blog.xml',
    );
    expect(found.complaints).toEqual([]);
    expect(found.posts.ink).toMatchObject({
      ...{ title: 'Ink & more', status: 'published', date: '2020-02-03T04:05:06.000Z', featured: true },
      ...{
        tags: ['Craft & art', 'ink'],
        description: 'A short word.',
        series: { name: 'Materials', part: 2 },
      },
      ...{ author: { name: 'Ada Byron' }, oldAddresses: ['/2020/02/ink/', '/2020/02/tinte/'] },
      cover: { alt: 'A pot' },
      content: expect.stringMatching(/^See \[paper\]\(\/paper\/#a\)\.\n\n!\[Pot\]\(platen-image:\w+\)\n$/),
    });
    expect(found.posts.paper?.description).toBe('On paper.');
    expect(found.posts.about).toMatchObject({ type: 'page', oldAddresses: [] });
    // The size in the text and the cover are the same picture of the library.
    expect(found.files.filter((file) => file.startsWith('images/'))).toHaveLength(1);
    expect(await found.read('platen.yaml')).toContain('name: Notes & queries\ndescription: On type\n');
  });

  it('keeps back what was not for everybody, and says so', async () => {
    const found = await importWxr(
      item({ name: 'secret', password: 'x' }),
      item({ id: 2, name: 'private', status: 'private' }),
      item({ id: 3, name: 'pending', status: 'pending', date: '0000-00-00 00:00:00' }),
      item({ id: 4, name: 'draft', status: 'draft', link: 'https://old.example/?p=4' }),
      item({ id: 5, name: 'later', status: 'future', date: '2990-01-01 00:00:00' }),
      item({ id: 6, name: 'gone', status: 'trash' }),
      item({ id: 7, name: 'old', status: 'inherit', type: 'revision' }),
      item({ id: 8, name: 'shop', type: 'product' }),
      item({ id: 9, name: 'plain', link: 'https://old.example/?p=9', comments: 3 }),
    );
    expect(Object.fromEntries(Object.values(found.posts).map(({ slug, status }) => [slug, status]))).toEqual({
      ...{ secret: 'draft', private: 'draft', pending: 'draft', draft: 'draft' },
      ...{ later: 'scheduled', plain: 'published' },
    });
    for (const sentence of [
      'secret: needs a password in WordPress: it is a draft here',
      'private: is private in WordPress: it is a draft here',
      'pending: waits for a review in WordPress: it is a draft here',
      'later: is scheduled for 2990-01-01T00:00:00.000Z',
      'plain: its address /?p=9 cannot redirect',
      '3 comments',
      '1 posts in the trash',
      '1 entries of the kind product',
    ])
      expect(found.text).toContain(sentence);
    expect(await found.read('import-report.txt')).toContain('  comments: 3\n');
  });

  it('gives the second of two posts with one slug another, and names it', async () => {
    const found = await importWxr(
      item({ title: 'First' }),
      item({ id: 2, title: 'Second', link: 'https://old.example/2021/01/ink/' }),
    );
    expect(found.posts['ink-2']).toMatchObject({ title: 'Second', oldAddresses: ['/2021/01/ink/'] });
    expect(found.text).toContain('ink-2: another post has its slug, too: its address is /ink-2/ now');
  });

  it('has slugs in any script', async () => {
    const found = await importWxr(item({ name: '%e6%97%a5%e6%9c%ac', title: '日本' }));
    expect(Object.keys(found.posts)).toEqual(['ri-ben']);
  });

  it('in several files is one', async () => {
    const found = await importOf(
      {
        'blog/blog.000.xml': wxr(item({ meta: { _thumbnail_id: '9' } })),
        'blog/blog.001.xml': wxr(
          item({ id: 9, type: 'attachment', attachment: 'https://old.example/a.png' }),
          item({ id: 2, name: 'paper' }),
        ),
      },
      'blog',
      { images: false },
    );
    expect(Object.keys(found.posts).sort()).toEqual(['ink', 'paper']);
    expect(await found.read('posts/2020-02-03-ink.md')).toContain('cover_image: https://old.example/a.png');
  });

  it('that is not quite XML is read as far as it can be understood, with the line', async () => {
    const found = await importWxr(
      item({ title: 'A \u0008 B', more: '<description>Bread &nbsp; butter</description>' }),
    );
    expect(found.posts.ink?.title).toBe('A B');
    expect(found.text).toMatch(
      /blog\.xml:\d+: read as it is: undefined entity|blog\.xml:\d+: read as it is: disallowed/,
    );
  });
});

describe('a text of WordPress', () => {
  it('of the classic editor has paragraphs, lines and code as they were', async () => {
    const { content } = await contentOf(
      'One\ntwo\n\nThree <b>four</b>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<pre lang="php">if (a &lt; b) {\n\n  c;\n}</pre>\nFive',
    );
    expect(content).toBe(
      'One\\\ntwo\n\nThree **four**\n\n- a\n- b\n\n```php\nif (a < b) {\n\n  c;\n}\n```\n\nFive\n',
    );
  });

  it('of blocks becomes Markdown', async () => {
    const { content, text } = await contentOf(
      '<!-- wp:heading --><h2 class="wp-block-heading">Head</h2><!-- /wp:heading -->\n\n<!-- wp:paragraph -->\n<p>Text $5 &lt;b&gt; a_b</p>\n<!-- /wp:paragraph -->\n\n' +
        '<!-- wp:image {"id":5} --><figure class="wp-block-image size-large"><img src="https://old.example/a-1024x683.jpg" alt="A"/><figcaption class="wp-element-caption">The "A"</figcaption></figure><!-- /wp:image -->\n' +
        '<!-- wp:gallery --><figure class="wp-block-gallery"><figure class="wp-block-image"><a href="https://old.example/b.jpg"><img src="https://old.example/b-150x150.jpg" alt="B"/></a></figure><figure class="wp-block-image"><img src="https://old.example/c.jpg" alt="C"/></figure></figure><!-- /wp:gallery -->\n' +
        '<!-- wp:embed {"url":"https://youtu.be/aqz-KE-bpKQ"} --><figure class="wp-block-embed is-type-video"><div class="wp-block-embed__wrapper">\nhttps://youtu.be/aqz-KE-bpKQ\n</div></figure><!-- /wp:embed -->\n' +
        '<!-- wp:code --><pre class="wp-block-code"><code>a &amp;&amp; b</code></pre><!-- /wp:code -->\n' +
        '<!-- wp:table --><figure class="wp-block-table"><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1|2</td><td><a href="/x">x</a></td></tr></tbody></table></figure><!-- /wp:table -->\n' +
        '<!-- wp:latest-posts {"postsToShow":3} /--><!-- wp:block {"ref":12} /-->' +
        '<script>alert(1)</script><form action="/x"><input></form>',
    );
    expect(content).toBe(
      [
        '## Head',
        'Text \\$5 \\<b> a\\_b',
        '![A](https://old.example/a-1024x683.jpg "The \\"A\\"")',
        '![B](https://old.example/b.jpg)',
        '![C](https://old.example/c.jpg)',
        'https://youtu.be/aqz-KE-bpKQ',
        '```\na && b\n```',
        '| A | B |\n| --- | --- |\n| 1\\|2 | [x](/x) |\n',
      ].join('\n\n'),
    );
    for (const sentence of [
      'the block latest-posts is left out: WordPress makes its content when a page is shown',
      'a reusable block is left out: copy it from WordPress',
      'a gallery became single images',
      'a script is left out: posts run none',
      'a form is left out',
    ])
      expect(text).toContain(`ink: ${sentence}`);
  });

  it('has shortcodes that become what Platen has, and others that are named', async () => {
    const { content, text } = await contentOf(
      '[caption id="a" width="300"]<img src="https://old.example/a.jpg" alt="A"> Words[/caption]\n\n[gallery ids="9,10"]\n\n' +
        '[embed]https://vimeo.com/1[/embed]\n\n[code lang="js"]a < b[/code]\n\n[[gallery]] and [sic].\n\n[contact-form-7 id="1"]\n\n[audio mp3="https://old.example/a.mp3"][/audio]',
      item({ id: 9, type: 'attachment', attachment: 'https://old.example/b.jpg' }),
    );
    expect(content).toBe(
      [
        '![A](https://old.example/a.jpg "Words")',
        '![](https://old.example/b.jpg)',
        'https://vimeo.com/1',
        '```js\na < b\n```',
        '\\[gallery\\] and \\[sic\\].',
        '\\[contact-form-7 id="1"\\]',
        '[a.mp3](https://old.example/a.mp3)\n',
      ].join('\n\n'),
    );
    expect(text).toContain(
      'ink: Platen has nothing for the shortcode [contact-form-7]: it stays as it is written',
    );
    expect(text).not.toContain('[sic]');
  });
});
