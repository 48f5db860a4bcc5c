import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { z } from 'zod';

/** A link to a post. Paths are decoded and relative to the blog's root (`/tags/日本/`). */
export interface PostRef {
  readonly path: string;
  readonly title: string;
}

export interface DatedPost extends PostRef {
  readonly publishedAt: string;
}

/** A post as readers see it on its own page. */
export interface PostPage {
  /** Title of the browser window. */
  readonly windowTitle: string;
  readonly heading: string;
  readonly publishedAt: string;
  /** What search engines are told. */
  readonly modifiedAt: string;
  readonly tags: readonly string[];
  readonly firstWord: string;
  readonly newer: PostRef | null;
  readonly older: PostRef | null;
  readonly previousPart: PostRef | null;
  readonly nextPart: PostRef | null;
  /** Where search engines are sent, if not to the page itself. */
  readonly canonical: string | null;
  readonly indexable: boolean;
  readonly language: string;
  /** The end of the post's Markdown file. */
  readonly markdown: string;
}

export interface ListPage {
  /** Label of the tag on the page of its list. */
  readonly tag: string | null;
  /** In page order. */
  readonly posts: readonly DatedPost[];
  /** Picked out above the others. */
  readonly featured: readonly DatedPost[];
  /** Paths of the neighbouring pages. */
  readonly newer: string | null;
  readonly older: string | null;
  readonly indexable: boolean;
}

/**
 * Everything that readers can see of a blog's posts, by decoded path. Times in feeds are truncated to seconds, since
 * RSS has no finer ones.
 */
export interface ReadersView {
  /** The content of favicon.ico, if every page links to it; null if no page does, and there is none. */
  readonly icon: string | null;
  readonly posts: Readonly<Record<string, PostPage>>;
  readonly lists: Readonly<Record<string, ListPage>>;
  /** Titles on the page of each series, by path. */
  readonly series: Readonly<Record<string, readonly string[]>>;
  /** Labels in the index of tags, by path of the tag's list. */
  readonly tags: Readonly<Record<string, string>>;
  /** Number of posts in the indexes of tags and months, by path of the list. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Paths of the month lists, in the order of the archive. */
  readonly months: readonly string[];
  readonly feeds: Readonly<Record<string, readonly DatedPost[]>>;
  /** Paths in all sitemaps together, in alphabetical order; null if there is no sitemap. */
  readonly sitemap: readonly string[] | null;
  /** Redirects of pages and Markdown files, from path to path. */
  readonly redirects: Readonly<Record<string, string>>;
  /** The posts in `llms.txt`; null if there is none. */
  readonly llms: readonly PostRef[] | null;
}

/** Parses the files of a blog as readers' programs do, without any code of the generator. */
export function readersView(files: ReadonlyMap<string, string>): ReadersView {
  const posts: Record<string, PostPage> = {};
  const lists: Record<string, ListPage> = {};
  const feeds: Record<string, readonly DatedPost[]> = {};
  const series: Record<string, readonly string[]> = {};
  const redirects: Record<string, string> = {};
  for (const [file, content] of files) {
    const path = `/${file.replace(/(?<=^|\/)index\.html$/, '')}`;
    const movedTo = /^This post has moved to <(.*)>\.\n$/.exec(content)?.[1];
    const redirect = redirectIn(content);
    if (redirect !== null) redirects[path] = redirect;
    else if (isNumberedList(file)) lists[path] = listPage(parse(content));
    else if (isPage(file)) {
      const page = parse(content);
      if (!hasArticle(page)) lists[path] = listPage(page);
      else posts[path] = postPage(page, files.get(markdownOf(page)) ?? '');
    } else if (/^series\/[^/]+\/index\.html$/.test(file)) {
      series[path] = all(parse(content), 'h2').map(textOf);
    } else if (movedTo !== undefined) redirects[path] = pathOf(movedTo);
    else if (/(?:^|\/)(?:feed|rss)\.xml$/.test(file)) feeds[path] = xmlFeed(content);
    else if (/(?:^|\/)feed\.json$/.test(file)) feeds[path] = jsonFeed(content);
  }
  return {
    icon: iconIn(files),
    posts,
    lists,
    series,
    tags: Object.fromEntries(linksIn(files.get('tags/index.html')).filter(([path]) => isIn('/tags/', path))),
    sizes: Object.fromEntries(
      ['tags/index.html', 'archive/index.html'].flatMap((file) => sizesIn(files.get(file))),
    ),
    months: linksIn(files.get('archive/index.html')).flatMap(([path]) =>
      isIn('/archive/', path) ? [path] : [],
    ),
    feeds,
    sitemap: sitemapIn(files),
    redirects,
    llms: llmsPosts(files.get('llms.txt')),
  };
}

function iconIn(files: ReadonlyMap<string, string>): string | null {
  // Nobody sees a page that redirects, and those of owners' redirects have no head of the theme.
  const pages = [...files].filter(
    ([file, content]) =>
      file.endsWith('.html') && content.includes('<head>') && !content.includes('http-equiv="refresh"'),
  );
  const linked = pages.filter(([, content]) => content.includes(' href="/favicon.ico"'));
  const favicon = files.get('favicon.ico') ?? null;
  if (
    linked.length !== (favicon === null ? 0 : pages.length) ||
    files.has('site.webmanifest') !== (favicon !== null)
  )
    throw new Error(`${linked.length} of ${pages.length} pages link to the favicon ${favicon}`);
  return favicon;
}

const isNumberedList = (file: string): boolean =>
  /^(?:page\/\d+\/index\.html|(?:tags|archive)\/[^/]+\/(?:page\/\d+\/)?index\.html)$/.test(file);

/** The front page, a post, or the list where that has an address of its own. */
const isPage = (file: string): boolean =>
  /^(?:[^/]+\/)?index\.html$/.test(file) && !/^(?:tags|archive|search)\//.test(file);

const hasArticle = (page: Node): boolean => first(page, 'article', 'class', 'post') !== null;

/** Where a page of any name redirects: a path with its query, or an absolute address on a host of others. */
function redirectIn(content: string): string | null {
  if (!content.startsWith('<!doctype html>') || !content.includes('http-equiv="refresh"')) return null;
  const refresh = first(parse(content), 'meta', 'http-equiv', 'refresh');
  if (refresh === null) return null;
  const to = new URL(attribute(refresh, 'content').split('url=')[1] ?? '');
  return to.hostname === 'elsewhere.example' ? to.href : pathOf(to.href) + to.search;
}

function postPage(page: Node, markdown: string): PostPage {
  const article = first(page, 'article', 'class', 'post');
  const tags = all(article, 'a').filter((link) => attribute(link, 'rel') === 'tag');
  return {
    windowTitle: textOf(first(page, 'title')),
    heading: textOf(first(article, 'h1')),
    publishedAt: attribute(first(article, 'time'), 'datetime'),
    modifiedAt: modifiedIn(page),
    tags: tags.map(textOf),
    firstWord: firstWord(textOf(first(article, 'div', 'class', 'prose'))),
    newer: beside(page, (link) => attribute(link, 'rel') === 'prev'),
    older: beside(page, (link) => attribute(link, 'rel') === 'next'),
    previousPart: beside(page, (link) => isPart(link) && !isFollowing(link)),
    nextPart: beside(page, (link) => isPart(link) && isFollowing(link)),
    canonical: canonicalOf(page),
    indexable: isIndexable(page),
    language: attribute(first(page, 'html'), 'lang'),
    markdown: markdown.split('\n---\n\n').slice(1).join('\n---\n\n').trimEnd(),
  };
}

const Posting = z.object({ dateModified: z.string() });

function modifiedIn(page: Node): string {
  const data = first(page, 'script', 'type', 'application/ld+json');
  return Posting.parse(JSON.parse(textOf(data))).dateModified;
}

/** The file that a post's page names as its Markdown. */
const markdownOf = (page: Node): string =>
  pathOf(attribute(first(page, 'link', 'type', 'text/markdown'), 'href')).slice(1);

/** The first word of a text, without preceding signs. */
export const firstWord = (text: string): string => /[\p{L}\d]+/u.exec(text)?.[0] ?? '';

/**
 * Links to other parts of a series have no `rel`, those to neighbours in time have one. Words depend on the language.
 */
const isPart = (link: Element): boolean => attribute(link, 'rel') === '';
const isFollowing = (link: Element): boolean => attribute(link, 'class') === 'following';

/** The neighbour with the first such link. */
function beside(page: Node, isMeant: (link: Element) => boolean): PostRef | null {
  const navs = all(page, 'nav').filter((nav) => attribute(nav, 'class') === 'beside');
  const link = navs.flatMap((nav) => all(nav, 'a')).find(isMeant);
  return link ? { path: pathOf(attribute(link, 'href')), title: textOf(first(link, 'bdi')) } : null;
}

function canonicalOf(page: Node): string | null {
  const canonical = attribute(first(page, 'link', 'rel', 'canonical'), 'href');
  return canonical === attribute(first(page, 'meta', 'property', 'og:url'), 'content') ? null : canonical;
}

function listPage(page: Node): ListPage {
  const entriesIn = (node: Node | null) =>
    all(node, 'article').filter((article) => attribute(article, 'class') === 'entry');
  const picked = entriesIn(first(page, 'section', 'class', 'picked'));
  const leadsTo = (rel: string) => {
    const link = first(first(page, 'nav', 'class', 'pages'), 'a', 'rel', rel);
    return link && pathOf(attribute(link, 'href'));
  };
  const tag = first(first(page, 'h1', 'class', 'list-heading'), 'bdi');
  return {
    tag: tag && textOf(tag),
    posts: entriesIn(page)
      .filter((entry) => !picked.includes(entry))
      .map(datedPost),
    featured: picked.map(datedPost),
    newer: leadsTo('prev'),
    older: leadsTo('next'),
    indexable: isIndexable(page),
  };
}

function datedPost(entry: Element): DatedPost {
  const link = first(first(entry, 'h2'), 'a');
  const publishedAt = attribute(first(entry, 'time'), 'datetime');
  return { path: pathOf(attribute(link, 'href')), title: textOf(link), publishedAt };
}

const isIndexable = (page: Node): boolean => first(page, 'meta', 'name', 'robots') === null;

/** Entries of an Atom or RSS feed. */
function xmlFeed(xml: string): DatedPost[] {
  const feed = parseXml(xml);
  const items = all(feed, 'item').map((item) => ({
    path: pathOf(textOf(first(item, 'link'))),
    title: textOf(first(item, 'title')),
    publishedAt: toSeconds(textOf(first(item, 'pubdate'))),
  }));
  const entries = all(feed, 'entry').map((entry) => ({
    path: pathOf(attribute(first(entry, 'link', 'rel', 'alternate'), 'href')),
    // HTML within XML.
    title: textOf(parseFragment(textOf(first(entry, 'title')))),
    publishedAt: toSeconds(textOf(first(entry, 'published'))),
  }));
  return [...items, ...entries];
}

const JsonFeed = z.object({
  items: z.array(z.object({ url: z.string(), title: z.string(), date_published: z.string() })),
});

const jsonFeed = (json: string): DatedPost[] =>
  JsonFeed.parse(JSON.parse(json)).items.map(({ url, title, date_published }) => ({
    path: pathOf(url),
    title,
    publishedAt: toSeconds(date_published),
  }));

export const toSeconds = (moment: string): string => new Date(moment).toUTCString();

function sitemapIn(files: ReadonlyMap<string, string>): string[] | null {
  const index = files.get('sitemap.xml');
  if (index === undefined) return null;
  const addresses = addressesIn(index).flatMap((path) => {
    const sitemap = files.get(path.slice(1));
    if (sitemap === undefined) throw new Error(`the sitemap index names ${path}, which does not exist`);
    const own = addressesIn(sitemap);
    if (own.length === 0) throw new Error(`${path} has no address, which search engines refuse`);
    return own;
  });
  return [...new Set(addresses)].sort();
}

const addressesIn = (xml: string): string[] => all(parseXml(xml), 'loc').map((loc) => pathOf(textOf(loc)));

/**
 * The links of the section before `## Optional`, whose name is in the blog's language. Their titles are one-line
 * Markdown.
 */
function llmsPosts(text: string | undefined): PostRef[] | null {
  if (text === undefined) return null;
  const section = /\n## (?!Optional\n)[^\n]+\n\n(.*?)\n(?:\n|$)/s.exec(text)?.[1] ?? '';
  return [...section.matchAll(/^- \[(.*?)\]\((https?:[^)]*)\)/gm)].map(([, title = '', url = '']) => ({
    path: pathOf(url),
    title: textOf(parseFragment(title.replace(/\\(.)/g, '$1'))),
  }));
}

function linksIn(html = ''): [path: string, text: string][] {
  const links = all(first(parse(html), 'main'), 'a');
  return links.map((link) => [pathOf(attribute(link, 'href')), textOf(link)]);
}

/** The number beside each link of an index. */
const sizesIn = (html = ''): [path: string, posts: number][] =>
  all(first(parse(html), 'main'), 'li').map((item) => [
    pathOf(attribute(first(item, 'a'), 'href')),
    Number(attribute(first(item, 'data', 'class', 'count'), 'value')),
  ]);

const isIn = (folder: string, path: string): boolean => path.startsWith(folder) && path !== folder;

/** The path of an address on any of the blog's hosts. */
const pathOf = (address: string): string => decodeURI(new URL(address, 'https://blog.example').pathname);

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Within SVG, an HTML parser accepts CDATA and self-closing elements as XML does. */
const parseXml = (xml: string): Node => parseFragment(`<svg>${xml.replace(/^<\?xml.*?\?>/, '')}</svg>`);

/** Elements with a name below a node, in order. */
function all(node: Node | null, name: string): Element[] {
  if (node === null || !('childNodes' in node)) return [];
  return node.childNodes.flatMap((child) => [
    ...('tagName' in child && child.tagName.toLowerCase() === name ? [child] : []),
    ...all(child, name),
  ]);
}

/** The first element with a name, and with an attribute if given, below a node. */
const first = (node: Node | null, name: string, key?: string, value?: string): Element | null =>
  all(node, name).find((element) => key === undefined || attribute(element, key) === value) ?? null;

const attribute = (element: Element | null, name: string): string =>
  element?.attrs.find((attr) => attr.name === name)?.value ?? '';

function textOf(node: Node | null): string {
  if (node === null) return '';
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}
