import { describe, expect, it } from 'vitest';
import { png } from '../folder/folder-of.ts';
import { imageServer, importOf } from './import-of.ts';

const post = (fields: object) => ({
  ...{ id: '1', title: 'Ink', slug: 'ink', html: '<p>On ink.</p>', type: 'post', status: 'published' },
  ...{ visibility: 'public', published_at: '2020-02-03T04:05:06.000Z', featured: 0, feature_image: null },
  ...fields,
});
/** A document in the form of Ghost 5. */
const ghost = (posts: readonly object[], data: object = {}) =>
  JSON.stringify({
    db: [{ meta: { exported_on: 1_700_000_000_000, version: '5.80.0' }, data: { posts, ...data } }],
  });
const importGhost = (posts: readonly object[], data: object = {}, site?: string) =>
  importOf({ 'blog.ghost.json': ghost(posts, data) }, 'blog.ghost.json', { site });

describe('an export of Ghost', () => {
  it('becomes posts with all that Platen has for them', async () => {
    const { url, requests } = await imageServer();
    const found = await importGhost(
      [
        post({
          featured: 1,
          feature_image: '__GHOST_URL__/content/images/2020/02/cover.png',
          html: '<p>See <a href="__GHOST_URL__/paper/">paper</a>.</p><figure class="kg-card kg-image-card"><img src="__GHOST_URL__/content/images/a.png" alt="A"></figure>',
        }),
        post({ id: '2', title: 'Paper', slug: 'paper', published_at: '2020-03-03T04:05:06.000Z' }),
        post({ id: '3', title: 'About', slug: 'about', type: 'page' }),
      ],
      {
        posts_meta: [
          { post_id: '1', meta_description: 'All about ink.', og_image: null, feature_image_alt: 'A pot' },
        ],
        tags: [
          { id: 't1', name: 'Ink & paper', slug: 'ink-paper', visibility: 'public' },
          { id: 't2', name: '#internal', slug: 'hash-internal', visibility: 'internal' },
        ],
        posts_tags: [
          { post_id: '1', tag_id: 't2', sort_order: 1 },
          { post_id: '1', tag_id: 't1', sort_order: 0 },
        ],
        users: [{ id: 'u1', name: 'Ada Byron', website: 'https://ada.example', profile_image: null }],
        posts_authors: [{ post_id: '1', author_id: 'u1', sort_order: 0 }],
        settings: [
          { key: 'title', value: 'Notes' },
          { key: 'description', value: 'On type' },
          { key: 'accent_color', value: '#0A7EA4' },
          { key: 'locale', value: 'de' },
          {
            key: 'navigation',
            value: '[{"label":"About","url":"__GHOST_URL__/about/"},{"label":"Home","url":"/"}]',
          },
        ],
        members: [{}, {}],
      },
      url,
    );
    expect(found.complaints).toEqual([]);
    expect(found.code).toBe(0);
    const [cover = '', image = ''] = found.files.filter((file) => file.startsWith('images/')).reverse();
    expect([cover, image]).toEqual([
      expect.stringMatching(/^images\/cover-[\da-f]{8}\.png$/),
      expect.stringMatching(/^images\/a-[\da-f]{8}\.png$/),
    ]);
    expect(requests).toHaveLength(2);
    expect(found.posts.ink).toMatchObject({
      ...{ title: 'Ink', status: 'published', date: '2020-02-03T04:05:06.000Z', tags: ['Ink & paper'] },
      ...{ description: 'All about ink.', featured: true, type: 'post' },
      author: { name: 'Ada Byron', url: 'https://ada.example' },
      cover: { url: expect.stringContaining('platen-image:'), alt: 'A pot' },
      content: expect.stringMatching(
        /^See \[paper\]\(\/paper\/\)\.\n\n!\[A\]\(platen-image:[\da-f]{64}\)\n$/,
      ),
    });
    expect(found.posts.about?.type).toBe('page');
    expect(found.files).toContain('posts/2020-02-03-ink.md');
    expect(await found.read('platen.yaml')).toBe(
      'markdown: platen\nname: Notes\ndescription: On type\nsettings:\n  language: de\n  accent_color: "#0A7EA4"\n  navigation:\n' +
        '    - label: About\n      url: /about/\n    - label: Home\n      url: /\nredirects:\n  - from: /rss/\n    to: /rss.xml\n',
    );
    expect(found.text).toContain('Left behind: 2 members');
    expect(found.text).toContain('ink: its internal tags are left out: #internal');
  });

  it('takes images of the export itself, and asks nobody', async () => {
    const { url, requests } = await imageServer();
    const found = await importOf(
      {
        'data/blog.json': ghost([
          post({ html: '<img src="__GHOST_URL__/content/images/size/w600/2020/a.png">' }),
        ]),
        'content/images/2020/a.png': png(),
      },
      '.',
      { site: url },
    );
    expect(found.files.filter((file) => file.startsWith('images/'))).toHaveLength(1);
    expect(requests).toEqual([]);
  });

  it('keeps back what was not for everybody, and says so', async () => {
    const found = await importGhost([
      post({ visibility: 'paid' }),
      post({ id: '2', slug: 'mail', status: 'sent' }),
      post({ id: '3', slug: 'draft', status: 'draft', published_at: null }),
      post({ id: '4', slug: 'later', status: 'scheduled', published_at: '2990-01-01T00:00:00.000Z' }),
      post({ id: '5', slug: 'odd', status: 'archived', codeinjection_head: '<script></script>' }),
    ]);
    expect(Object.values(found.posts).map(({ slug, status }) => [slug, status])).toEqual([
      ['draft', 'draft'],
      ['ink', 'draft'],
      ['mail', 'draft'],
      ['odd', 'draft'],
      ['later', 'scheduled'],
    ]);
    for (const sentence of [
      'ink: is for paid in Ghost: it is a draft here, because Platen has no members',
      'mail: was an e-mail only in Ghost: it is a draft here',
      'later: is scheduled for 2990-01-01T00:00:00.000Z',
      'odd: has the status archived in Ghost: it is a draft here',
      'odd: code that was injected into it is left out',
    ])
      expect(found.text).toContain(sentence);
  });

  it('has cards that become what Platen has', async () => {
    const found = await importGhost([
      post({
        html:
          '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://a.example/x"><div class="kg-bookmark-content"><div class="kg-bookmark-title">A title</div><div class="kg-bookmark-description">Words</div></div></a></figure>' +
          '<div class="kg-card kg-callout-card kg-callout-card-yellow"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">Mind <b>this</b>.</div></div>' +
          '<div class="kg-card kg-toggle-card" data-kg-toggle-state="close"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text">More</h4><button class="kg-toggle-card-icon"><svg></svg></button></div><div class="kg-toggle-content"><p>Inside.</p></div></div>' +
          '<div class="kg-card kg-audio-card"><audio src="/content/media/a.mp3"></audio><div class="kg-audio-title">Song</div><span>1×</span></div>' +
          '<div class="kg-card kg-signup-card">Subscribe!</div>' +
          '<pre><code class="language-js">const a = `1 &lt; 2`;</code></pre>' +
          '<figure class="kg-card kg-embed-card"><iframe src="https://www.youtube.com/embed/aqz-KE-bpKQ?feature=oembed"></iframe><figcaption>A film</figcaption></figure>' +
          '<!--kg-card-begin: html--><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><!--kg-card-end: html-->',
      }),
    ]);
    expect(found.posts.ink?.content).toBe(
      [
        '[A title](https://a.example/x)',
        '> [!WARNING]\n> 💡 Mind **this**.',
        '<details>\n<summary>More</summary>\n\nInside.\n\n</details>',
        '[Song](/content/media/a.mp3)',
        '```js\nconst a = `1 < 2`;\n```',
        'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
        '*A film*',
        '| A | B |\n| --- | --- |\n| 1 | 2 |\n',
      ].join('\n\n'),
    );
    expect(found.text).toContain('ink: a card for members is left out');
    expect(found.text).toContain('ink: a recording is a link now');
  });

  it('of versions before 1.0 is read, too', async () => {
    const found = await importOf({
      'old.json': JSON.stringify({
        meta: { exported_on: 1_400_000_000_000, version: '003' },
        data: {
          posts: [
            {
              ...{ id: 5, title: 'Old', slug: 'old', markdown: 'Some *Markdown*.', html: '', image: null },
              ...{ page: 1, status: 'published', published_at: 1_400_000_000_000, author_id: 1, featured: 0 },
            },
          ],
          users: [{ id: 1, name: 'Ada' }],
          tags: [{ id: 7, name: 'paper' }],
          posts_tags: [{ post_id: 5, tag_id: 7 }],
        },
      }),
    });
    expect(found.posts.old).toMatchObject({
      ...{ type: 'page', content: 'Some *Markdown*.', date: '2014-05-13T16:53:20.000Z', tags: ['paper'] },
      author: { name: 'Ada' },
    });
  });
});
