import { type FeedFormat, feedAddress, feedFormats, fileOf } from '../addresses.ts';
import type { Feed } from '../page.ts';
import { hasPages, type ListRef, monthOf } from '../site/list.ts';
import { placesOf } from '../site/placement.ts';
import type { SitePostSummary } from '../site/post.ts';
import type { Site } from '../site/site.ts';
import { mayBeAmongNewest } from './lists/newest.ts';
import { keySuffix, type PageKind } from './page-kind.ts';

/**
 * Number of posts in the blog's feeds, and in each tag's feeds. Tag feeds are shorter because a post is in several of
 * them, and most files that a publish writes are feeds.
 */
const BLOG_LENGTH = 30;
const TAG_LENGTH = 10;
/** Size limit of a feed's posts in bytes: readers download it after every publish. The newest is always included. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Feeds with the newest posts of the blog and of each tag in full, in three formats.
 *
 * Keys: `feed:<tag slug, or empty>:<format>`.
 */
export const feeds: PageKind = {
  name: 'feed',
  stage: 'feeds',
  allKeys: async (site) => [null, ...(await site.allLists())].flatMap(keysOf),
  async affectedKeys(site, placement) {
    const reached = placesOf(placement).map(async ({ list, place }) =>
      hasPages(list) && (await mayBeAmongNewest(site, list, place, lengthOf(list))) ? keysOf(list) : [],
    );
    return (await Promise.all(reached)).flat();
  },
  async sizes(site, keys) {
    const weights = keys.map(async (key): Promise<[string, number]> => {
      const posts = await newestOfList(site, parseKey(key).list);
      return [key, posts.reduce((sum, { bytes }) => sum + bytes, 0)];
    });
    return new Map(await Promise.all(weights));
  },
  async build(site, keys) {
    const wanted = keys.map(parseKey);
    const newest = await newestOfLists(site, new Set(wanted.map(({ list }) => list)));
    return wanted.flatMap(({ list, format }) => {
      const posts = newest.get(list) ?? [];
      const tag = posts[0]?.tags.find(({ slug }) => slug === list) ?? null;
      // A blog without posts has feeds; a tag without posts has none.
      if (list !== null && tag === null) return [];
      const feed: Feed = { format, blog: site.blog, tag, posts };
      return [
        {
          key: keyOf(list, format),
          path: fileOf(feedAddress(list, format)),
          body: { kind: 'feed', feed },
        },
      ];
    });
  },
};

const lengthOf = (list: ListRef): number => (list === null ? BLOG_LENGTH : TAG_LENGTH);

/** The newest posts of a list that fit into its feed. */
async function newestOfList(site: Site, list: ListRef): Promise<readonly SitePostSummary[]> {
  const length = lengthOf(list);
  const { posts } = await site.newest(list, length);
  let bytes = 0;
  return posts.slice(0, length).filter((post, index) => {
    bytes += post.bytes;
    return index === 0 || bytes <= MAX_BYTES;
  });
}

/** The newest posts of each list. Loads a post that is in several lists once. */
async function newestOfLists(site: Site, lists: ReadonlySet<ListRef>) {
  const listed = await Promise.all(
    [...lists].map(async (list) => [list, (await newestOfList(site, list)).map(({ id }) => id)] as const),
  );
  const posts = await site.posts([...new Set(listed.flatMap(([, ids]) => ids))]);
  return new Map(listed.map(([list, ids]) => [list, ids.flatMap((id) => posts.get(id) ?? [])]));
}

/** A month has no feed, because it ends. */
const keysOf = (list: ListRef): string[] =>
  hasPages(list) && monthOf(list) === null ? feedFormats.map((format) => keyOf(list, format)) : [];

const keyOf = (list: ListRef, format: FeedFormat): string => `feed:${list ?? ''}:${format}`;

function parseKey(key: string): { list: ListRef; format: FeedFormat } {
  const [list, name] = keySuffix(key).split(':');
  const format = feedFormats.find((known) => known === name);
  if (format === undefined) throw new TypeError(`no feed has the key ${key}`);
  return { list: list || null, format };
}
