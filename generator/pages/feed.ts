import { type Feed, type FeedFormat, feedFiles, feedFormats } from '../page.ts';
import { type ListRef, monthOf, type Site } from '../site.ts';
import { isAmongNewest } from './newest.ts';
import { afterName, type PageKind } from './page-kind.ts';

/**
 * Posts in the feeds of a blog, and in those of each of its tags, of which a post reaches several: most of what a
 * publish writes is feeds.
 */
const BLOG_LENGTH = 30;
const TAG_LENGTH = 10;

/**
 * The newest posts of the blog and of each tag in full, in three formats.
 *
 * Keys: `feed:<slug of the tag or nothing>:<format>`.
 */
export const feeds: PageKind = {
  name: 'feed',
  all: async (site) => [null, ...(await site.allLists())].flatMap(keysOf),
  async reach(site, { run, lists }) {
    const reached = [{ list: null, run }, ...lists].map(async ({ list, run }) =>
      (await isAmongNewest(site, list, run, lengthOf(list))) ? keysOf(list) : [],
    );
    return (await Promise.all(reached)).flat();
  },
  async show(site, keys) {
    const wanted = keys.map(parseKey);
    const newest = await newestOf(site, new Set(wanted.map(({ list }) => list)));
    return wanted.flatMap(({ list, format }) => {
      const posts = newest.get(list) ?? [];
      const tag = posts[0]?.tags.find(({ slug }) => slug === list) ?? null;
      // A blog without posts has feeds, a tag without posts has none.
      if (list !== null && tag === null) return [];
      const feed: Feed = { format, blog: site.blog, tag, posts };
      const folder = list === null ? '' : `tags/${list}/`;
      return [
        {
          key: keyOf(list, format),
          path: `${folder}${feedFiles[format]}`,
          stage: 'feeds',
          body: { kind: 'feed', feed },
        },
      ];
    });
  },
};

const lengthOf = (list: ListRef): number => (list === null ? BLOG_LENGTH : TAG_LENGTH);

/** The newest posts of each list. A body that stands in several of them is loaded once. */
async function newestOf(site: Site, lists: ReadonlySet<ListRef>) {
  const listed = await Promise.all(
    [...lists].map(async (list) => {
      const length = lengthOf(list);
      const { posts } = await site.newest(list, length);
      return [list, posts.slice(0, length).map(({ id }) => id)] as const;
    }),
  );
  const posts = await site.posts([...new Set(listed.flatMap(([, ids]) => ids))]);
  return new Map(listed.map(([list, ids]) => [list, ids.flatMap((id) => posts.get(id) ?? [])]));
}

/** A month has no feed: it ends. */
const keysOf = (list: ListRef): string[] =>
  monthOf(list) === null ? feedFormats.map((format) => keyOf(list, format)) : [];

const keyOf = (list: ListRef, format: FeedFormat): string => `feed:${list ?? ''}:${format}`;

function parseKey(key: string): { list: ListRef; format: FeedFormat } {
  const [list, name] = afterName(key).split(':');
  const format = feedFormats.find((known) => known === name);
  if (format === undefined) throw new TypeError(`no feed has the key ${key}`);
  return { list: list || null, format };
}
