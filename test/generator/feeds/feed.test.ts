import { describe, expect, it } from 'vitest';
import { createFeedWriter } from '../../../generator/feeds/feed.ts';
import type { Feed } from '../../../generator/page.ts';
import type { SiteBlog } from '../../../generator/site/blog.ts';
import type { SitePost } from '../../../generator/site/post.ts';
import { blog, post } from '../render/views.ts';

/** That feeds are well-formed and valid, and read as intended, is tested with a browser's parsers. */
const write = (changes: Partial<Feed>): string =>
  Buffer.from(createFeedWriter()({ format: 'atom', blog, tag: null, posts: [post], ...changes })).toString();

const both = (changes: Partial<SitePost> = {}, changedBlog: Partial<SiteBlog> = {}): Partial<Feed> => ({
  posts: [{ ...post, ...changes }],
  blog: { ...blog, ...changedBlog },
});
const xmlFeeds = ['atom', 'rss'] as const;
const formats = [...xmlFeeds, 'json'] as const;
const rust = { label: 'Rust & Co', slug: '日本' };

/** Content of an element in the only entry of the feed. */
const inEntry = (feed: string, element: string) =>
  new RegExp(`<${element}[^>]*>(.*?)</${element}>`, 's').exec(
    feed.slice(feed.search(/<(?:entry|item)/)),
  )?.[1];
const parsed = (changes: Partial<Feed>) => JSON.parse(write({ format: 'json', ...changes }));

describe('a feed', () => {
  it('an Atom feed names itself, its blog and both addresses', () => {
    const feed = write({});
    expect(feed).toContain(`<id>urn:uuid:${blog.id}</id>`);
    expect(feed).toContain('<title>Ink &amp; Paper</title>');
    expect(feed).toContain('<subtitle>Notes on type</subtitle>');
    expect(feed).toContain('<link rel="alternate" type="text/html" href="https://ink.example.com/"/>');
    expect(feed).toContain(
      '<link rel="self" type="application/atom+xml" href="https://ink.example.com/feed.xml"/>',
    );
    expect(feed).toContain(
      '<author><name>Ink &amp; Paper</name><uri>https://ink.example.com/</uri></author>',
    );
  });

  it('an RSS feed names itself, its blog and both addresses', () => {
    const feed = write({ format: 'rss' });
    expect(feed).toContain(
      '<channel>\n<title>Ink &amp; Paper</title>\n<link>https://ink.example.com/</link>',
    );
    expect(feed).toContain('<description>Notes on type</description>');
    expect(feed).toContain(
      '<atom:link rel="self" type="application/rss+xml" href="https://ink.example.com/rss.xml"/>',
    );
  });

  it('a JSON feed names itself, its blog and both addresses', () => {
    expect(parsed({})).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Ink & Paper',
      description: 'Notes on type',
      home_page_url: 'https://ink.example.com/',
      feed_url: 'https://ink.example.com/feed.json',
      authors: [{ name: 'Ink & Paper', url: 'https://ink.example.com/' }],
    });
  });

  it('the feed of a tag differs from the blog’s feed and links to the tag’s page', () => {
    const id = (feed: string) => /<id>(.*?)<\/id>/.exec(feed)?.[1];
    const feed = write({ tag: rust });
    expect(feed).toContain('<title>#Rust &amp; Co · Ink &amp; Paper</title>');
    expect(feed).toContain('href="https://ink.example.com/tags/%E6%97%A5%E6%9C%AC/"/>');
    expect(feed).toContain('href="https://ink.example.com/tags/%E6%97%A5%E6%9C%AC/feed.xml"/>');
    expect(id(feed)).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(id(write({ tag: rust, ...both({}, { url: 'https://elsewhere.example/', name: 'Other' }) }))).toBe(
      id(feed),
    );
    const ids = [{}, { tag: rust }, { tag: { label: 'Rust', slug: 'rust' } }].map((changes) =>
      id(write(changes)),
    );
    expect(new Set([...ids, id(write({ tag: rust, ...both({}, { id: post.id }) }))]).size).toBe(4);
  });

  it('a feed is dated by its last change, or by the blog if it has no entry', () => {
    const [early, late] = [post, { ...post, updatedAt: '2026-07-07T07:07:07.000Z' }];
    const updated = (posts: readonly SitePost[]) => /<updated>(.*?)<\/updated>/.exec(write({ posts }))?.[1];
    expect(updated([late, early])).toBe('2026-07-07T07:07:07.000Z');
    expect(updated([early, late])).toBe('2026-07-07T07:07:07.000Z');
    expect(updated([])).toBe(blog.createdAt);
    expect(write({ format: 'rss', posts: [late] })).toContain(
      '<lastBuildDate>Tue, 07 Jul 2026 07:07:07 GMT</lastBuildDate>',
    );
  });

  it.each(formats)('a feed has the same bytes at any time and in any time zone: %s', (format) => {
    const zone = process.env.TZ;
    const first = write({ format });
    process.env.TZ = 'Asia/Tokyo';
    expect(write({ format })).toBe(first);
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('a feed that is XML names the style sheet by which browsers show it', () => {
    const line = '<?xml-stylesheet type="text/css" href="/feed.css"?>';
    for (const format of xmlFeeds) expect(write({ format }).split('\n')[1]).toBe(line);
    expect(write({ format: 'json' })).not.toContain('feed.css');
  });

  it('a feed has the blog’s language, and a post in another script has its own', () => {
    const settings = { ...blog.settings, language: 'pt-BR' };
    const changes = both({ lang: 'ja' }, { settings });
    expect(write(changes)).toMatch(/<feed [^>]*xml:lang="pt-BR"/);
    expect(write(changes)).toContain('<entry xml:lang="ja">');
    expect(write({ format: 'rss', ...changes })).toContain('<language>pt-BR</language>');
    expect(parsed(changes)).toMatchObject({ language: 'pt-BR', items: [{ language: 'ja' }] });
    const same = both({ lang: 'ja' }, { settings: { ...settings, language: 'ja' } });
    expect(write(same)).toContain('<entry>');
    expect(parsed(same).items[0]).not.toHaveProperty('language');
  });

  it('a feed has an author if the blog names one', () => {
    const by = (url: string | null) =>
      both({}, { settings: { ...blog.settings, author: { name: 'Ada & Bob', url, image: null } } });
    expect(write(by('https://ada.example'))).toContain(
      '<author><name>Ada &amp; Bob</name><uri>https://ada.example/</uri></author>',
    );
    expect(write(by(null))).toContain('<author><name>Ada &amp; Bob</name></author>');
    expect(inEntry(write({ format: 'rss', ...by(null) }), 'dc:creator')).toBe('Ada &amp; Bob');
    expect(write({ format: 'rss' })).not.toContain('dc:creator');
    expect(parsed(by(null)).authors).toEqual([{ name: 'Ada & Bob' }]);
  });

  it('a feed has no description if the blog has none, except in RSS, which requires one', () => {
    const changes = both({}, { description: '' });
    expect(write(changes)).not.toContain('<subtitle');
    expect(parsed(changes)).not.toHaveProperty('description');
    expect(write({ format: 'rss', ...changes })).toContain('<description>Ink &amp;amp; Paper</description>');
  });

  it('a feed of a blog without posts has no entries', () => {
    expect(write({ posts: [] })).not.toContain('<entry');
    expect(parsed({ posts: [] }).items).toEqual([]);
  });

  it('a feed is the same whether it is written alone or with others that share its posts', () => {
    const writer = createFeedWriter();
    const feeds: Feed[] = formats.flatMap((format) =>
      [null, rust].map((tag) => ({
        format,
        blog,
        tag,
        posts: tag === null ? [post, { ...post, id: blog.id }] : [post],
      })),
    );
    const together = feeds.map((feed) => Buffer.from(writer(feed)).toString());
    expect(together).toEqual(feeds.map(write));
  });

  it('a feed notices a change of everything that an entry shows', () => {
    const writer = createFeedWriter();
    const author = { name: 'Ada', url: 'https://ada.example/', image: null };
    const changes: Partial<Feed>[] = [
      both({
        contentVersion: 'the second',
        html: '<p>Anew, with <a href="https://e.example/" rel="nofollow ugc noopener">a link</a>.</p>',
      }),
      both({ title: 'Renamed' }),
      both({ slug: 'moved' }),
      both({ description: 'Otherwise' }),
      both({ tags: [rust] }),
      both({ lang: 'ja' }),
      both({ ogImage: 'https://e.example/x.png' }),
      both({ updatedAt: '2027-01-01T00:00:00.000Z' }),
      both({}, { url: 'https://moved.example/' }),
      both({}, { name: 'Renamed' }),
      both({}, { indexable: false }),
      both({}, { settings: { ...blog.settings, author } }),
      both({}, { settings: { ...blog.settings, language: 'de' } }),
    ];
    for (const format of formats) {
      for (const change of [{}, ...changes]) {
        const feed: Feed = { format, blog, tag: null, posts: [post], ...change };
        expect(Buffer.from(writer(feed)).toString()).toBe(write({ format, ...change }));
        // The same post in a blog that has changed.
        const sole = { ...feed, posts: [post] };
        expect(Buffer.from(writer(sole)).toString()).toBe(write(sole));
      }
    }
  });
});

describe('a feed entry', () => {
  it.each(formats)(
    'a feed entry keeps its id when its post moves, so that readers do not see it twice: %s',
    (format) => {
      const id = `urn:uuid:${post.id}`;
      const written = {
        atom: `<id>${id}</id>`,
        rss: `<guid isPermaLink="false">${id}</guid>`,
        json: `"id":"${id}"`,
      }[format];
      const [before, after] = [
        write({ format }),
        write({ format, ...both({ slug: 'moved', title: 'Renamed' }) }),
      ];
      for (const feed of [before, after]) expect(feed).toContain(written);
      expect(after).toContain('https://ink.example.com/moved/');
      expect(after).not.toContain(post.slug);
    },
  );

  it('a feed entry says when its post was published and last changed', () => {
    expect(inEntry(write({}), 'published')).toBe('2026-03-10T23:30:00.000Z');
    expect(inEntry(write({}), 'updated')).toBe('2026-03-10T23:45:00.000Z');
    expect(inEntry(write({ format: 'rss' }), 'pubDate')).toBe('Tue, 10 Mar 2026 23:30:00 GMT');
    expect(parsed({}).items[0]).toMatchObject({
      date_published: '2026-03-10T23:30:00.000Z',
      date_modified: '2026-03-10T23:45:00.000Z',
    });
  });

  it('a feed follows the links of a blog that search engines may index', () => {
    const stored = '<p><a href="https://e.example/" rel="nofollow ugc noopener">e</a></p>';
    const contentOf = (indexable: boolean) =>
      inEntry(write(both({ html: stored }, { indexable })), 'content');
    expect(contentOf(true)).toBe(`<![CDATA[${stored.replace('nofollow ugc ', '')}]]>`);
    expect(contentOf(false)).toBe(`<![CDATA[${stored}]]>`);
  });

  it('a feed entry holds the whole post, prepared for feed readers', () => {
    const changes = both({ html: '<p>Set <a href="/the/">the</a> <em>type</em>.</p>' });
    const ready = '<p>Set <a href="https://ink.example.com/the/">the</a> <em>type</em>.</p>';
    expect(inEntry(write(changes), 'content')).toBe(`<![CDATA[${ready}]]>`);
    expect(inEntry(write({ format: 'rss', ...changes }), 'content:encoded')).toBe(`<![CDATA[${ready}]]>`);
    expect(parsed(changes).items[0].content_html).toBe(ready);
  });

  it.each(['<b>', ']]>', 'Tom & Jerry', '&amp;', '</title><script>'])(
    'the title %s of a feed entry is the post’s text, not markup',
    (title) => {
      const escaped = (text: string) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      const changes = both({ title, description: title });
      expect(inEntry(write(changes), 'title')).toBe(escaped(escaped(title)));
      expect(inEntry(write(changes), 'summary')).toBe(escaped(escaped(title)));
      expect(inEntry(write({ format: 'rss', ...changes }), 'title')).toBe(escaped(title));
      expect(inEntry(write({ format: 'rss', ...changes }), 'description')).toBe(escaped(escaped(title)));
      expect(parsed(changes).items[0]).toMatchObject({ title, summary: title });
    },
  );

  it('a feed entry names its tags as they were written', () => {
    const changes = both({ tags: [{ label: 'a<b & "c"', slug: 'a-b-c' }] });
    expect(write(changes)).toContain('<category term="a&lt;b &amp; &quot;c&quot;"/>');
    expect(write({ format: 'rss', ...changes })).toContain('<category>a&lt;b &amp; &quot;c&quot;</category>');
    expect(parsed(changes).items[0].tags).toEqual(['a<b & "c"']);
    expect(parsed(both({ tags: [] })).items[0]).not.toHaveProperty('tags');
  });

  it('a feed entry shows the image that the author gave', () => {
    expect(parsed(both({ ogImage: 'https://e.example/a.png' })).items[0].image).toBe(
      'https://e.example/a.png',
    );
    expect(parsed({}).items[0]).not.toHaveProperty('image');
  });

  it('a feed entry of a post without a description has none', () => {
    expect(write(both({ description: '' }))).not.toContain('<summary');
    expect(inEntry(write({ format: 'rss', ...both({ description: '' }) }), 'description')).toBeUndefined();
    expect(parsed(both({ description: '' })).items[0]).not.toHaveProperty('summary');
  });
});

describe('a feed of long posts', () => {
  const long = (id: string, length: number): SitePost => ({
    ...post,
    id,
    title: '<Long>',
    html: `<p>${'x'.repeat(length)}</p>`,
  });

  it('a feed holds full posts up to one mebibyte, and descriptions for the rest', () => {
    const posts = [long('1', 600_000), long('2', 600_000), { ...post, id: '3' }, long('4', 2_000_000)];
    const brief = `<p>${post.description}</p>\n<p><a href="https://ink.example.com/${post.slug}/">&lt;Long&gt;</a></p>\n`;
    const contents = parsed({ posts }).items.map((item: { content_html: string }) => item.content_html);
    expect(contents).toEqual([posts[0]?.html, brief, post.html, brief]);
    for (const format of xmlFeeds) expect(write({ format, posts }).length).toBeLessThan(1_048_576);
  });
});
