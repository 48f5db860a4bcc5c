import { expect, test } from 'vitest';
import { blogCardUrl, cards } from '../../../generator/pages/card.ts';
import type { BlogIcon, SiteBlog } from '../../../generator/site/blog.ts';
import type { SitePost } from '../../../generator/site/post.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';
import { blog } from '../render/views.ts';

async function cardOf(changes: Partial<SitePost> = {}, changed: Partial<SiteBlog> = {}) {
  const site = siteOf({ posts: publishedPosts(1, () => changes), blog: changed });
  const drawn = await cards.build(site, await cards.allKeys(site));
  return drawn.find(({ key }) => key !== `card:${blog.id}`);
}

async function cardOfBlog(changed: Partial<SiteBlog> = {}) {
  const [card] = await cards.build(siteOf({ posts: [], blog: changed }), [`card:${blog.id}`]);
  return card ?? expect.fail('no card');
}

test('a blog has a card with its name and description', async () => {
  const card = await cardOfBlog();
  expect(card.body).toEqual({
    kind: 'card',
    card: {
      title: 'Ink & Paper',
      blogName: 'Ink & Paper',
      description: 'Notes on type',
      host: 'ink.example.com',
      date: '',
      lang: null,
      accent: null,
      icon: null,
    },
  });
  expect(blogCardUrl(blog)).toBe(`https://ink.example.com/${card.path}`);
});

test('the card of a blog gets a new path when anything on it changes', async () => {
  const { settings } = blog;
  const drawn = await Promise.all([
    cardOfBlog(),
    cardOfBlog({ name: 'Other' }),
    cardOfBlog({ description: 'Other' }),
    cardOfBlog({ url: 'https://other.example.com/' }),
    cardOfBlog({ settings: { ...settings, accentColor: '#ffcc00' } }),
    cardOfBlog({ settings: { ...settings, language: 'ja' } }),
  ]);
  expect(new Set(drawn.map(({ path }) => path)).size).toBe(6);
  expect((await cardOfBlog({ settings: { ...settings, language: 'de' } })).path).toBe(drawn[0]?.path);
});

const icon = { url: 'https://media.example.org/b/i.jpg', isMade: true, former: null };

async function cardWithIcon(icon: BlogIcon) {
  const site = {
    ...siteOf({ posts: publishedPosts(1), blog: { settings: { ...blog.settings, icon } } }),
    favicon: async () => Buffer.from('ico'),
  };
  const [ofBlog, ofPost] = await cards.build(site, await cards.allKeys(site));
  if (ofBlog?.body.kind !== 'card' || ofPost?.body.kind !== 'card') return expect.fail('no card');
  const named = new URL(blogCardUrl(site.blog)).pathname.slice(1);
  return { path: ofBlog.path, named, icon: ofBlog.body.card.icon, ofPost: ofPost.path };
}

test('the card of a blog has its icon once that is made, and another path with another icon', async () => {
  const card = await cardWithIcon(icon);
  expect(card.icon).toEqual(Buffer.from('ico'));
  expect(card.named).toBe(card.path);
  const [other, unmade] = [
    await cardWithIcon({ ...icon, url: 'https://media.example.org/b/j.jpg' }),
    await cardWithIcon({ ...icon, isMade: false }),
  ];
  expect(unmade).toMatchObject({ icon: null, path: (await cardOfBlog()).path });
  expect(new Set([card.path, other.path, unmade.path]).size).toBe(3);
  expect(new Set([card.ofPost, other.ofPost, unmade.ofPost]).size).toBe(1);
});

test('a post without an image of its own has a card, which holds the text to draw', async () => {
  expect(await cardOf({ title: 'Ink', lang: 'ja' })).toEqual({
    key: `card:${publishedPosts(1)[0]?.id}`,
    path: expect.stringMatching(/^og\/[0-9a-f]{32}\.png$/),
    body: {
      kind: 'card',
      card: {
        title: 'Ink',
        blogName: 'Ink & Paper',
        description: null,
        host: 'ink.example.com',
        date: '2026-01-01T00:01:00.000Z',
        lang: 'ja',
        accent: null,
        icon: null,
      },
    },
  });
});

test('a post with an image of its author’s has no card', async () => {
  expect(await cardOf({ ogImage: 'https://example.org/given.png' })).toBeUndefined();
});

test('a card gets a new path when anything on it changes, and keeps it otherwise', async () => {
  const path = (await cardOf())?.path;
  expect(
    (await cardOf({ html: '<p>Other</p>', slug: 'other', updatedAt: '2026-05-05T00:00:00.000Z' }))?.path,
  ).toBe(path);
  const others = await Promise.all([
    cardOf({ title: 'Other' }),
    cardOf({ lang: 'ar' }),
    cardOf({ publishedAt: '2026-05-05T00:00:00.000Z' }),
    cardOf({}, { name: 'Other' }),
    cardOf({}, { settings: { ...blog.settings, accentColor: '#ffcc00' } }),
    cardOf({}, { url: 'https://other.example.com/' }),
    // Two posts may have equal cards; deleting one must not remove the other's file.
    cardOf({ id: '0190a000-0000-7000-8000-00000000ffff' }),
  ]);
  expect(new Set([path, ...others.map((card) => card?.path)]).size).toBe(8);
});

test('a change to a post affects its card', async () => {
  const place = {
    postId: 'p',
    slug: 's',
    pageNumber: 1,
    publishedAt: '2026-01-01T00:00:00.000Z',
    lists: [],
    redirects: [],
    homeList: null,
    relatedBy: [],
    series: null,
  };
  expect(await cards.affectedKeys(siteOf({ posts: [] }), place)).toEqual(['card:p']);
});
