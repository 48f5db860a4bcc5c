import { type Address, absoluteUrl, cardImageAddress, fileOf } from '../addresses.ts';
import { type CardTexts, cardHash } from '../cards/hash.ts';
import type { Card } from '../page.ts';
import { ownPreviewImage } from '../preview-image.ts';
import { type SiteBlog, shownIcon } from '../site/blog.ts';
import type { SitePostSummary } from '../site/post.ts';
import type { Site } from '../site/site.ts';
import { type BuiltPage, keySuffix, type PageKind } from './page-kind.ts';

/** The blog's preview card, and that of each post without an image of its own for link previews. */
export const cards: PageKind = {
  name: 'card',
  stage: 'cards',
  allKeys: async (site) => [site.blog.id, ...(await site.allPostIds())].map(cardPageKey),
  affectedKeys: async (_site, { postId }) => [cardPageKey(postId)],
  async build(site, keys) {
    const { blog } = site;
    const ids = keys.map(keySuffix);
    const posts = await site.summaries(ids.filter((id) => id !== blog.id));
    const ofPosts = [...posts.values()]
      .filter((post) => ownPreviewImage(post) === null)
      .map((post) => cardPage(post.id, cardAddress(blog, post), { ...cardOf(blog, post), icon: null }));
    return ids.includes(blog.id) ? [await blogCardPage(site), ...ofPosts] : ofPosts;
  },
};

/** Key of the card of a post, or of the blog, with this id. */
export const cardPageKey = (id: string): string => `card:${id}`;

/** Contains a hash of everything drawn: a changed card is a new file, so cards may be cached for ever. */
export const cardAddress = (blog: SiteBlog, post: SitePostSummary): Address =>
  cardImageAddress(cardHash(post.id, cardOf(blog, post)));

/** With the icon. A post's card keeps the initial: a new icon would mean a new card for every post. */
const blogCardAddress = (blog: SiteBlog): Address =>
  cardImageAddress(cardHash(blog.id, blogCardOf(blog), shownIcon(blog.settings)));

/** URL of the blog's own card. */
export const blogCardUrl = (blog: SiteBlog): string => absoluteUrl(blog.url, blogCardAddress(blog));

async function blogCardPage(site: Site): Promise<BuiltPage> {
  const { blog } = site;
  const icon = shownIcon(blog.settings) === null ? null : await site.favicon();
  return cardPage(blog.id, blogCardAddress(blog), { ...blogCardOf(blog), icon });
}

const cardPage = (id: string, address: Address, card: Card): BuiltPage => ({
  key: cardPageKey(id),
  path: fileOf(address),
  body: { kind: 'card', card },
});

const cardOf = (blog: SiteBlog, post: SitePostSummary): CardTexts => ({
  title: post.title,
  ...frameOf(blog),
  description: null,
  date: post.publishedAt,
  lang: post.language ?? post.lang,
});

const blogCardOf = (blog: SiteBlog): CardTexts => ({
  title: blog.name,
  ...frameOf(blog),
  description: blog.description,
  date: '',
  // Languages that share characters and draw them differently. The text itself decides all else.
  lang: /^(?:zh|ja|ko)\b/.test(blog.settings.language) ? blog.settings.language : null,
});

const frameOf = ({ name, url, settings }: SiteBlog): Pick<Card, 'blogName' | 'host' | 'accent'> => ({
  blogName: name,
  host: new URL(url).host,
  accent: settings.accentColor,
});
