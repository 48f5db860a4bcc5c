import { describe, expect, it } from 'vitest';
import { atomFeed } from '../../../generator/render/feed.ts';
import type { SiteBlog, SitePost } from '../../../generator/site.ts';
import { blog, post } from './views.ts';

/** That feeds are well-formed XML and read as they were meant is tested with a browser's parser. */
const feedOf = (changes: Partial<SitePost> = {}, changedBlog: Partial<SiteBlog> = {}) =>
  atomFeed({ ...blog, ...changedBlog }, [{ ...post, ...changes }]);

/** What stands in an element of the one entry. */
const inEntry = (feed: string, element: string) =>
  new RegExp(`<${element}[^>]*>(.*?)</${element}>`, 's').exec(feed.slice(feed.indexOf('<entry>')))?.[1];

describe('a feed', () => {
  it('names itself, its blog and where both are', () => {
    const feed = feedOf();
    expect(feed).toMatch(
      /^<\?xml version="1\.0" encoding="utf-8"\?>\s*<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/,
    );
    expect(feed).toContain(`<id>urn:uuid:${blog.id}</id>`);
    expect(feed).toContain('<title>Ink &amp; Paper</title>');
    expect(feed).toContain('<subtitle>Notes on type</subtitle>');
    expect(feed).toContain('<link rel="alternate" href="https://ink.example.com/"/>');
    expect(feed).toContain('<link rel="self" href="https://ink.example.com/feed.xml"/>');
  });

  it('is as old as its last change, and as the blog where it has no entry', () => {
    const [early, late] = [post, { ...post, updatedAt: '2026-07-07T07:07:07.000Z' }];
    const updated = (feed: string) => /<updated>(.*?)<\/updated>/.exec(feed)?.[1];
    expect(updated(atomFeed(blog, [late, early]))).toBe('2026-07-07T07:07:07.000Z');
    expect(updated(atomFeed(blog, [early, late]))).toBe('2026-07-07T07:07:07.000Z');
    expect(updated(atomFeed(blog, []))).toBe(blog.createdAt);
  });

  it('is the same bytes whenever and in whatever time zone it is made', () => {
    const zone = process.env.TZ;
    const first = feedOf();
    process.env.TZ = 'Asia/Tokyo';
    expect(feedOf()).toBe(first);
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('is named by the blog’s name, whatever that says of entities', () => {
    const feed = feedOf({}, { name: 'a &amp; b &amp;amp; <c> & ]]>', description: '&amp;' });
    expect(feed).toContain('<title>a &amp;amp; b &amp;amp;amp; &lt;c&gt; &amp; ]]&gt;</title>');
    expect(feed).toContain('<subtitle>&amp;amp;</subtitle>');
  });

  it('does without a subtitle where the blog has no description', () => {
    expect(feedOf({}, { description: '' })).not.toContain('<subtitle');
  });
});

describe('an entry', () => {
  it('is known by the post and not by its address, so that a post that moves is not new to readers', () => {
    const before = feedOf();
    const after = feedOf({ slug: 'moved', title: 'Renamed' });
    expect(inEntry(after, 'id')).toBe(`urn:uuid:${post.id}`);
    expect(inEntry(after, 'id')).toBe(inEntry(before, 'id'));
    expect(after).toContain('<link href="https://ink.example.com/moved/"/>');
  });

  it('says when its post was published and when it was last changed', () => {
    const feed = feedOf();
    expect(inEntry(feed, 'published')).toBe('2026-03-10T23:30:00.000Z');
    expect(inEntry(feed, 'updated')).toBe('2026-03-10T23:45:00.000Z');
  });

  it('holds the whole post', () => {
    expect(inEntry(feedOf(), 'content')).toContain('<p>Set the <em>type</em>.</p>');
    expect(inEntry(feedOf({ html: '<p>]]&gt;</p>' }), 'content')).toContain('<p>]]&gt;</p>');
  });

  it.each(['<b>', ']]>', 'Tom & Jerry', '&amp;', '</title><script>'])(
    'is titled %s by its post’s text, not by markup',
    (title) => {
      const written = inEntry(feedOf({ title }), 'title') ?? '';
      const html = written.replace(/^<!\[CDATA\[(.*)\]\]>$/s, '$1');
      expect(html).toBe(title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    },
  );

  it('holds no character that XML cannot', () => {
    const hostile = 'a\u0000\u0008\u001b\u000c\ufffe\uffffz\t\n日😀';
    const feed = feedOf({ title: hostile, description: hostile, html: hostile }, { description: hostile });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
    expect(feed).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
    expect(inEntry(feed, 'content')).toContain('az\t\n日😀');
  });

  it('names its tags in attributes that are well-formed, whatever they hold', () => {
    const feed = feedOf({ tags: [{ label: 'a<b & "c"', slug: 'a-b-c' }] });
    expect(feed).toMatch(/<category [^<]*term="a&lt;b &amp; &quot;c&quot;"/);
  });
});
