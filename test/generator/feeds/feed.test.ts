import { describe, expect, it } from 'vitest';
import { createFeedWriter } from '../../../generator/feeds/feed.ts';
import type { Feed } from '../../../generator/page.ts';
import type { SiteBlog, SitePost } from '../../../generator/site.ts';
import { blog, post } from '../render/views.ts';

/** That feeds are well-formed, valid and read as they were meant is tested with a browser's parsers. */
const write = (changes: Partial<Feed>): string =>
  Buffer.from(createFeedWriter()({ format: 'atom', blog, tag: null, posts: [post], ...changes })).toString();

const both = (changes: Partial<SitePost> = {}, changedBlog: Partial<SiteBlog> = {}): Partial<Feed> => ({
  posts: [{ ...post, ...changes }],
  blog: { ...blog, ...changedBlog },
});
const xmlFeeds = ['atom', 'rss'] as const;
const formats = [...xmlFeeds, 'json'] as const;
const rust = { label: 'Rust & Co', slug: '日本' };

/** What stands in an element, of the one entry where there is one of that name. */
const inEntry = (feed: string, element: string) =>
  new RegExp(`<${element}[^>]*>(.*?)</${element}>`, 's').exec(
    feed.slice(feed.search(/<(?:entry|item)/)),
  )?.[1];
const parsed = (changes: Partial<Feed>) => JSON.parse(write({ format: 'json', ...changes }));

describe('a feed', () => {
  it('names itself, its blog and where both are, in Atom', () => {
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

  it('names itself, its blog and where both are, in RSS', () => {
    const feed = write({ format: 'rss' });
    expect(feed).toContain(
      '<channel>\n<title>Ink &amp; Paper</title>\n<link>https://ink.example.com/</link>',
    );
    expect(feed).toContain('<description>Notes on type</description>');
    expect(feed).toContain(
      '<atom:link rel="self" type="application/rss+xml" href="https://ink.example.com/rss.xml"/>',
    );
  });

  it('names itself, its blog and where both are, in JSON', () => {
    expect(parsed({})).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Ink & Paper',
      description: 'Notes on type',
      home_page_url: 'https://ink.example.com/',
      feed_url: 'https://ink.example.com/feed.json',
      authors: [{ name: 'Ink & Paper', url: 'https://ink.example.com/' }],
    });
  });

  it('of a tag is another than the blog’s, with the tag’s own page', () => {
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

  it('is as old as its last change, and as the blog where it has no entry', () => {
    const [early, late] = [post, { ...post, updatedAt: '2026-07-07T07:07:07.000Z' }];
    const updated = (posts: readonly SitePost[]) => /<updated>(.*?)<\/updated>/.exec(write({ posts }))?.[1];
    expect(updated([late, early])).toBe('2026-07-07T07:07:07.000Z');
    expect(updated([early, late])).toBe('2026-07-07T07:07:07.000Z');
    expect(updated([])).toBe(blog.createdAt);
    expect(write({ format: 'rss', posts: [late] })).toContain(
      '<lastBuildDate>Tue, 07 Jul 2026 07:07:07 GMT</lastBuildDate>',
    );
  });

  it.each(formats)('is the same bytes whenever and in whatever time zone it is made: %s', (format) => {
    const zone = process.env.TZ;
    const first = write({ format });
    process.env.TZ = 'Asia/Tokyo';
    expect(write({ format })).toBe(first);
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('is in the blog’s language, and a post whose script gives away another is in that', () => {
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

  it('is by its author, where one is named', () => {
    const by = (url: string | null) =>
      both({}, { settings: { ...blog.settings, author: { name: 'Ada & Bob', url } } });
    expect(write(by('https://ada.example'))).toContain(
      '<author><name>Ada &amp; Bob</name><uri>https://ada.example/</uri></author>',
    );
    expect(write(by(null))).toContain('<author><name>Ada &amp; Bob</name></author>');
    expect(inEntry(write({ format: 'rss', ...by(null) }), 'dc:creator')).toBe('Ada &amp; Bob');
    expect(write({ format: 'rss' })).not.toContain('dc:creator');
    expect(parsed(by(null)).authors).toEqual([{ name: 'Ada & Bob' }]);
  });

  it('does without a description where the blog has none, except where one must be', () => {
    const changes = both({}, { description: '' });
    expect(write(changes)).not.toContain('<subtitle');
    expect(parsed(changes)).not.toHaveProperty('description');
    expect(write({ format: 'rss', ...changes })).toContain('<description>Ink &amp;amp; Paper</description>');
  });

  it('has no entries where the blog has no posts', () => {
    expect(write({ posts: [] })).not.toContain('<entry');
    expect(parsed({ posts: [] }).items).toEqual([]);
  });

  it('is the same whether it is written alone or with others that have posts in common', () => {
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

  it('knows of everything that an entry shows whether it has changed', () => {
    const writer = createFeedWriter();
    const author = { name: 'Ada', url: 'https://ada.example/' };
    const changes: Partial<Feed>[] = [
      both({ contentVersion: 'the second', html: '<p>Anew.</p>' }),
      both({ title: 'Renamed' }),
      both({ slug: 'moved' }),
      both({ description: 'Otherwise' }),
      both({ tags: [rust] }),
      both({ lang: 'ja' }),
      both({ ogImage: 'https://e.example/x.png' }),
      both({ updatedAt: '2027-01-01T00:00:00.000Z' }),
      both({}, { url: 'https://moved.example/' }),
      both({}, { name: 'Renamed' }),
      both({}, { settings: { ...blog.settings, author } }),
      both({}, { settings: { ...blog.settings, language: 'de' } }),
    ];
    for (const format of formats) {
      for (const change of [{}, ...changes]) {
        const feed: Feed = { format, blog, tag: null, posts: [post], ...change };
        expect(Buffer.from(writer(feed)).toString()).toBe(write({ format, ...change }));
        // The very same post in a blog that has changed.
        const sole = { ...feed, posts: [post] };
        expect(Buffer.from(writer(sole)).toString()).toBe(write(sole));
      }
    }
  });
});

describe('an entry', () => {
  it.each(formats)(
    'is known by the post and not by its address, so that one that moves is not new: %s',
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

  it('says when its post was published and when it was last changed', () => {
    expect(inEntry(write({}), 'published')).toBe('2026-03-10T23:30:00.000Z');
    expect(inEntry(write({}), 'updated')).toBe('2026-03-10T23:45:00.000Z');
    expect(inEntry(write({ format: 'rss' }), 'pubDate')).toBe('Tue, 10 Mar 2026 23:30:00 GMT');
    expect(parsed({}).items[0]).toMatchObject({
      date_published: '2026-03-10T23:30:00.000Z',
      date_modified: '2026-03-10T23:45:00.000Z',
    });
  });

  it('holds the whole post, made ready for readers of feeds', () => {
    const changes = both({ html: '<p>Set <a href="/the/">the</a> <em>type</em>.</p>' });
    const ready = '<p>Set <a href="https://ink.example.com/the/">the</a> <em>type</em>.</p>';
    expect(inEntry(write(changes), 'content')).toBe(`<![CDATA[${ready}]]>`);
    expect(inEntry(write({ format: 'rss', ...changes }), 'content:encoded')).toBe(`<![CDATA[${ready}]]>`);
    expect(parsed(changes).items[0].content_html).toBe(ready);
  });

  it.each(['<b>', ']]>', 'Tom & Jerry', '&amp;', '</title><script>'])(
    'is titled %s by its post’s text, not by markup',
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

  it('names its tags as they were written', () => {
    const changes = both({ tags: [{ label: 'a<b & "c"', slug: 'a-b-c' }] });
    expect(write(changes)).toContain('<category term="a&lt;b &amp; &quot;c&quot;"/>');
    expect(write({ format: 'rss', ...changes })).toContain('<category>a&lt;b &amp; &quot;c&quot;</category>');
    expect(parsed(changes).items[0].tags).toEqual(['a<b & "c"']);
    expect(parsed(both({ tags: [] })).items[0]).not.toHaveProperty('tags');
  });

  it('shows the image that the author gave', () => {
    expect(parsed(both({ ogImage: 'https://e.example/a.png' })).items[0].image).toBe(
      'https://e.example/a.png',
    );
    expect(parsed({}).items[0]).not.toHaveProperty('image');
  });

  it('leaves out the description that its post does not have', () => {
    expect(write(both({ description: '' }))).not.toContain('<summary');
    expect(inEntry(write({ format: 'rss', ...both({ description: '' }) }), 'description')).toBeUndefined();
    expect(parsed(both({ description: '' })).items[0]).not.toHaveProperty('summary');
  });
});

describe('a feed whose posts are long', () => {
  const long = (id: string, length: number): SitePost => ({
    ...post,
    id,
    title: '<Long>',
    html: `<p>${'x'.repeat(length)}</p>`,
  });

  it('has as many in full as a mebibyte holds, and the others by their descriptions', () => {
    const posts = [long('1', 600_000), long('2', 600_000), { ...post, id: '3' }, long('4', 2_000_000)];
    const brief = `<p>${post.description}</p>\n<p><a href="https://ink.example.com/${post.slug}/">&lt;Long&gt;</a></p>\n`;
    const contents = parsed({ posts }).items.map((item: { content_html: string }) => item.content_html);
    expect(contents).toEqual([posts[0]?.html, brief, post.html, brief]);
    for (const format of xmlFeeds) expect(write({ format, posts }).length).toBeLessThan(1_048_576);
  });
});
