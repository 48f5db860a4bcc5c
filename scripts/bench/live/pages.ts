/** Paths of the edge files that show a post. */

const LIST_PAGES_PER_CHUNK = 100;
const FEEDS = ['feed.xml', 'rss.xml', 'feed.json'];

interface ListPosition {
  /** A tag, a month (`@2026-11`), or '' for the blog's main list. */
  readonly list: string;
  readonly run: number;
}

/** The permanent list page with this number. */
export const listPage = (place: ListPosition): string =>
  `${folderOf(place.list)}page/${place.run}/index.html`;

/** First page of the list, with the newest posts. */
export const frontPage = (list: string): string => `${folderOf(list)}index.html`;

/** Feeds of a list. Months have none, because they end. */
export const feedsOf = (list: string): string[] =>
  list.startsWith('@') ? [] : FEEDS.map((name) => folderOf(list) + name);

export const sitemapOf = ({ run }: ListPosition): string =>
  `sitemap-${Math.ceil(run / LIST_PAGES_PER_CHUNK)}.xml`;

/** Files of the post itself: its page and its Markdown. */
export const ownFiles = (slug: string): string[] => [`${slug}/index.html`, `${slug}.md`];

export const LLMS_FILES = ['llms.txt', 'llms-full.txt'];
export const RECENT_INDEX = 'search/recent.json';

const folderOf = (list: string): string => {
  if (list === '') return '';
  return list.startsWith('@') ? `archive/${list.slice(1)}/` : `tags/${list}/`;
};
