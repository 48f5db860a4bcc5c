import { type Address, cardImageAddress, fileOf } from '../addresses.ts';
import { cardHash } from '../cards/hash.ts';
import type { Card } from '../page.ts';
import { ownPreviewImage } from '../preview-image.ts';
import type { SiteBlog, SitePostSummary } from '../site.ts';
import { keySuffix, type PageKind } from './page-kind.ts';

/** The preview card of each post without an image of its own for link previews. */
export const cards: PageKind = {
  name: 'card',
  stage: 'cards',
  allKeys: async (site) => (await site.allPostIds()).map(cardPageKey),
  affectedKeys: async (_site, { postId }) => [cardPageKey(postId)],
  async build(site, keys) {
    const posts = await site.summaries(keys.map(keySuffix));
    return [...posts.values()]
      .filter((post) => ownPreviewImage(post) === null)
      .map((post) => ({
        key: cardPageKey(post.id),
        path: fileOf(cardAddress(site.blog, post)),
        body: { kind: 'card', card: cardOf(site.blog, post) },
      }));
  },
};

export const cardPageKey = (postId: string): string => `card:${postId}`;

/** Contains a hash of everything drawn: a changed card is a new file, so cards may be cached for ever. */
export const cardAddress = (blog: SiteBlog, post: SitePostSummary): Address =>
  cardImageAddress(cardHash(post.id, cardOf(blog, post)));

const cardOf = (blog: SiteBlog, post: SitePostSummary): Card => ({
  title: post.title,
  blogName: blog.name,
  host: new URL(blog.url).host,
  date: post.publishedAt,
  lang: post.lang,
  accent: blog.settings.accentColor,
});
