import {
  type ListRef,
  monthList,
  monthOf,
  type PostSource,
  type RecentChanges,
  type Site,
  type SiteBlog,
  type SitePost,
  type SitePostSummary,
} from '../../generator/site.ts';
import { blog } from '../generator/render/views.ts';

/** A published post with its source, and its list page in the list of its month and of each tag, by tag slug. */
export interface PlacedPost extends SitePost, PostSource {
  readonly monthRun: number;
  readonly tagRuns: Readonly<Record<string, number>>;
}

export interface SiteParts {
  readonly posts: readonly PlacedPost[];
  /** Current slug of a post by old slug. */
  readonly redirects?: Readonly<Record<string, string>>;
  readonly blog?: Partial<SiteBlog>;
  readonly recent?: RecentChanges;
}

/** Posts published in order, oldest first, with the list pages that publishing would assign. */
export function publishedPosts(
  count: number,
  fields: (n: number) => Partial<SitePost & PostSource> = () => ({}),
): PlacedPost[] {
  const lengths = new Map<string, number>();
  const runIn = (list: string): number => {
    const before = lengths.get(list) ?? 0;
    lengths.set(list, before + 1);
    return Math.floor(before / 10) + 1;
  };
  return Array.from({ length: count }, (_, index) => {
    const n = index + 1;
    const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
    const id = `0190a000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const post: SitePost & PostSource = {
      id,
      slug: `post-${n}`,
      title: `Post ${n}`,
      description: `About ${n}.`,
      tags: [],
      pageNumber: runIn(''),
      lang: null,
      publishedAt: at,
      updatedAt: at,
      contentVersion: `edition ${n}`,
      html: `<p>Text ${n}.</p>`,
      source: `Text ${n}.`,
      headings: [],
      wordCount: 2,
      ogImage: null,
      translations: [],
      bytes: 20,
      ...fields(n),
    };
    const monthRun = runIn(monthList(post.publishedAt));
    return {
      ...post,
      monthRun,
      tagRuns: Object.fromEntries(post.tags.map(({ slug }) => [slug, runIn(slug)])),
    };
  });
}

/** The simplest possible site: it searches a list of posts for everything. */
export function siteOf({
  posts,
  redirects = {},
  blog: changed = {},
  recent = { hasSearchIndex: false, removedIds: [], posts: [], texts: [] },
}: SiteParts): Site {
  const runOf = (list: ListRef, post: PlacedPost) => {
    if (list === null) return post.pageNumber;
    if (monthOf(list) === null) return post.tagRuns[list];
    return list === monthList(post.publishedAt) ? post.monthRun : undefined;
  };
  const tagSlugs = [...new Set(posts.flatMap(({ tagRuns }) => Object.keys(tagRuns)))].sort();
  const months = [...new Set(posts.map(({ publishedAt }) => monthList(publishedAt)))].sort();
  const listed = (list: ListRef) =>
    posts
      .flatMap((post) => {
        const run = runOf(list, post);
        return run === undefined ? [] : [{ post, run }];
      })
      .sort(
        (a, b) =>
          b.run - a.run ||
          b.post.publishedAt.localeCompare(a.post.publishedAt) ||
          b.post.id.localeCompare(a.post.id),
      );
  const runsOf = (list: ListRef) => [...new Set(listed(list).map(({ run }) => run))];
  const postsIn = (list: ListRef, run: number): SitePostSummary[] =>
    listed(list).flatMap((entry) => (entry.run === run ? [summaryOf(entry.post)] : []));
  const targets = (slugs: readonly string[]) =>
    slugs.flatMap((slug) => {
      const to = redirects[slug];
      return to !== undefined && posts.some((post) => post.slug === to) ? [[slug, to] as const] : [];
    });
  return {
    isTakenDown: false,
    blog: { ...blog, ...changed },
    posts: async (ids) =>
      new Map(posts.flatMap((post) => (ids.includes(post.id) ? [[post.id, withBody(post)]] : []))),
    sources: async (ids) =>
      new Map(posts.flatMap((post) => (ids.includes(post.id) ? [[post.id, withSource(post)]] : []))),
    slugs: async (ids) => new Map(posts.flatMap(({ id, slug }) => (ids.includes(id) ? [[id, slug]] : []))),
    summaries: async (ids) =>
      new Map(posts.flatMap((post) => (ids.includes(post.id) ? [[post.id, summaryOf(post)]] : []))),
    listPages: async (list, runs) =>
      new Map(runsOf(list).flatMap((run) => (runs.includes(run) ? [[run, postsIn(list, run)]] : []))),
    async adjacentListPages(list, run) {
      const runs = runsOf(list);
      return {
        older: runs.find((other) => other < run) ?? null,
        newer: runs.findLast((other) => other > run) ?? null,
      };
    },
    async newest(list, count) {
      const runs: number[] = [];
      const found: SitePostSummary[] = [];
      for (const run of runsOf(list)) {
        if (found.length >= count) break;
        runs.push(run);
        found.push(...postsIn(list, run));
      }
      return { posts: found, oldestPage: runs.at(-1) ?? null };
    },
    oldestPageOf: async (list, count) => listed(list)[count - 1]?.run ?? null,
    sitemapPosts: async ({ from, to }) =>
      listed(null)
        .filter(({ run }) => run >= from && run <= to)
        .map(({ post: { slug, updatedAt } }) => ({ slug, updatedAt }))
        .reverse(),
    redirects: async (oldSlugs) => new Map(targets(oldSlugs)),
    recentChanges: async () => recent,
    allPostIds: async () => posts.map(({ id }) => id),
    tags: async () =>
      tagSlugs.flatMap(
        (slug) =>
          listed(slug)
            .at(-1)
            ?.post.tags.filter((tag) => tag.slug === slug) ?? [],
      ),
    months: async () => months.flatMap((list) => monthOf(list) ?? []).reverse(),
    allLists: async () => [...months, ...tagSlugs],
    allPageNumbers: async (list) => runsOf(list).reverse(),
    allSitemapChunks: async (length) =>
      [...new Set(runsOf(null).map((run) => Math.ceil(run / length)))].reverse(),
    allRedirects: async () => Object.keys(redirects),
    allHosts: async () => [new URL({ ...blog, ...changed }.url).hostname],
  };
}

function summaryOf(post: PlacedPost): SitePostSummary {
  const {
    html: _html,
    headings: _headings,
    wordCount: _words,
    contentVersion: _edition,
    translations: _translations,
    ...summary
  } = withBody(post);
  return summary;
}

const withSource = (post: PlacedPost): PostSource => ({
  ...summaryOf(post),
  source: post.source,
  translations: post.translations,
});

/** The post without its source, which post pages must not depend on. */
function withBody({ source: _source, tagRuns: _tags, monthRun: _month, ...post }: PlacedPost): SitePost {
  return post;
}
