/** Which files of a blog's edge show a post. */

const RUNS_PER_SITEMAP = 100;
const FEEDS = ['feed.xml', 'rss.xml', 'feed.json'];

interface Place {
  /** A tag, a month (`@2026-11`), or nothing for the blog's own list. */
  readonly list: string;
  readonly run: number;
}

/** The list's page that shows this run, for ever. */
export const runPage = (place: Place): string => `${folderOf(place.list)}page/${place.run}/index.html`;

/** The list's first page, which shows the newest posts. */
export const frontPage = (list: string): string => `${folderOf(list)}index.html`;

/** Months have none: they end. */
export const feedsOf = (list: string): string[] =>
  list.startsWith('@') ? [] : FEEDS.map((name) => folderOf(list) + name);

export const sitemapOf = ({ run }: Place): string => `sitemap-${Math.ceil(run / RUNS_PER_SITEMAP)}.xml`;

/** The post's own: the page, and its Markdown. */
export const ownFiles = (slug: string): string[] => [`${slug}/index.html`, `${slug}.md`];

export const FOR_MODELS = ['llms.txt', 'llms-full.txt'];
export const RECENT = 'search/recent.json';

const folderOf = (list: string): string => {
  if (list === '') return '';
  return list.startsWith('@') ? `archive/${list.slice(1)}/` : `tags/${list}/`;
};
