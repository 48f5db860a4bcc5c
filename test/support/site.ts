import type { SiteBlog } from '../../generator/site/blog.ts';
import { FEATURED, hasPages, type ListRef, monthList, monthOf } from '../../generator/site/list.ts';
import { byPublication } from '../../generator/site/order.ts';
import type { Placement } from '../../generator/site/placement.ts';
import type { PostSource, SitePost, SitePostSummary } from '../../generator/site/post.ts';
import type { RecentChanges, Site } from '../../generator/site/site.ts';
import { blog, plain } from '../generator/render/views.ts';

/**
 * A published post with its source, and its list page in the list of its month, of each tag, by tag slug, and of
 * featured posts if it is one.
 */
export interface PlacedPost extends SitePost, PostSource {
  readonly monthPage: number;
  readonly tagPages: Readonly<Record<string, number>>;
  readonly featuredPage?: number | undefined;
}

export interface SiteParts {
  readonly posts: readonly PlacedPost[];
  /** Current slug of a post by former slug. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** The owner's redirects: target by path. */
  readonly ownerRedirects?: Readonly<Record<string, string>>;
  readonly blog?: Partial<SiteBlog>;
  readonly recent?: RecentChanges;
}

/** When the nth of `publishedPosts` was published. */
export const publicationTime = (n: number): string =>
  new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();

/** Posts published in order, oldest first, with the list pages that publishing would assign. */
export function publishedPosts(
  count: number,
  fields: (n: number) => Partial<SitePost & PostSource> = () => ({}),
): PlacedPost[] {
  const lengths = new Map<string, number>();
  const nextPageIn = (list: string): number => {
    const before = lengths.get(list) ?? 0;
    lengths.set(list, before + 1);
    return Math.floor(before / 10) + 1;
  };
  return Array.from({ length: count }, (_, index) => {
    const n = index + 1;
    const at = publicationTime(n);
    const id = `0190a000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const post: SitePost & PostSource = {
      id,
      type: 'post',
      slug: `post-${n}`,
      title: `Post ${n}`,
      description: `About ${n}.`,
      tags: [],
      homeList: null,
      pageNumber: nextPageIn(''),
      lang: null,
      publishedAt: at,
      updatedAt: at,
      contentVersion: `edition ${n}`,
      html: `<p>Text ${n}.</p>`,
      source: `Text ${n}.`,
      headings: [],
      wordCount: 2,
      ogImage: null,
      ...plain,
      translations: [],
      bytes: 20,
      ...fields(n),
    };
    const monthPage = nextPageIn(monthList(post.publishedAt));
    return {
      ...post,
      monthPage,
      tagPages: Object.fromEntries(post.tags.map(({ slug }) => [slug, nextPageIn(slug)])),
      featuredPage: post.isFeatured ? nextPageIn(FEATURED) : undefined,
    };
  });
}

/** Where a post stands, with the former slugs that redirect to it. */
export const placementOf = (post: PlacedPost, { redirects = {} }: Partial<SiteParts> = {}): Placement => ({
  postId: post.id,
  slug: post.slug,
  publishedAt: post.publishedAt,
  homeList: post.homeList,
  relatedBy: [],
  series: post.series,
  pageNumber: post.pageNumber,
  lists: [
    { list: monthList(post.publishedAt), pageNumber: post.monthPage },
    ...Object.entries(post.tagPages).map(([list, pageNumber]) => ({ list, pageNumber })),
    ...(post.featuredPage === undefined ? [] : [{ list: FEATURED, pageNumber: post.featuredPage }]),
  ],
  redirects: Object.entries(redirects).flatMap(([from, to]) => (to === post.slug ? [from] : [])),
});

/** The simplest possible site: it searches a list of posts for everything. */
export function siteOf({
  posts,
  redirects = {},
  ownerRedirects = {},
  blog: changed = {},
  recent = { hasSearchIndex: false, isComplete: true, removedIds: [], posts: [], texts: [] },
}: SiteParts): Site {
  const pageNumberOf = (list: ListRef, post: PlacedPost) => {
    if (list === FEATURED) return post.featuredPage;
    if (list === null || !hasPages(list)) return post.homeList === list ? post.pageNumber : undefined;
    if (monthOf(list) === null) return post.tagPages[list];
    return list === monthList(post.publishedAt) ? post.monthPage : undefined;
  };
  const tagSlugs = [...new Set(posts.flatMap(({ tagPages }) => Object.keys(tagPages)))].sort();
  const months = [...new Set(posts.map(({ publishedAt }) => monthList(publishedAt)))].sort();
  const listed = (list: ListRef) =>
    posts
      .flatMap((post) => {
        const pageNumber = pageNumberOf(list, post);
        return pageNumber === undefined ? [] : [{ post, pageNumber }];
      })
      .sort((a, b) => byPublication(b.post, a.post));
  const pageNumbersOf = (list: ListRef) => [...new Set(listed(list).map(({ pageNumber }) => pageNumber))];
  const postsIn = (list: ListRef, pageNumber: number): SitePostSummary[] =>
    listed(list).flatMap((entry) => (entry.pageNumber === pageNumber ? [summaryOf(entry.post)] : []));
  const targets = (slugs: readonly string[]) =>
    slugs.flatMap((slug) => {
      const target = posts.find((post) => post.slug === redirects[slug]);
      return target ? [[slug, { type: target.type, slug: target.slug }] as const] : [];
    });
  return {
    isTakenDown: false,
    favicon: async () => null,
    blog: { ...blog, ...changed },
    posts: async (ids) =>
      new Map(posts.flatMap((post) => (ids.includes(post.id) ? [[post.id, withBody(post)]] : []))),
    sources: async (ids) =>
      new Map(posts.flatMap((post) => (ids.includes(post.id) ? [[post.id, withSource(post)]] : []))),
    slugs: async (ids) => new Map(posts.flatMap(({ id, slug }) => (ids.includes(id) ? [[id, slug]] : []))),
    summaries: async (ids) =>
      new Map(posts.flatMap((post) => (ids.includes(post.id) ? [[post.id, summaryOf(post)]] : []))),
    listPages: async (list, pageNumbers) =>
      new Map(
        pageNumbersOf(list).flatMap((pageNumber) =>
          pageNumbers.includes(pageNumber) ? [[pageNumber, postsIn(list, pageNumber)]] : [],
        ),
      ),
    async adjacentListPages(list, place) {
      const others = listed(list).filter(({ pageNumber }) => pageNumber !== place.pageNumber);
      return {
        older: others.find(({ post }) => byPublication(post, place) < 0)?.pageNumber ?? null,
        newer: others.findLast(({ post }) => byPublication(post, place) > 0)?.pageNumber ?? null,
      };
    },
    async newest(list, count) {
      const pageNumbers: number[] = [];
      const found: SitePostSummary[] = [];
      for (const pageNumber of pageNumbersOf(list)) {
        if (found.length >= count) break;
        pageNumbers.push(pageNumber);
        found.push(...postsIn(list, pageNumber));
      }
      return { posts: found, oldestPage: pageNumbers.at(-1) ?? null };
    },
    async oldestOfNewest(list, count) {
      const all = listed(list);
      const last = all.findLast(({ pageNumber }) => pageNumber === all[count - 1]?.pageNumber);
      return last ? { ...last.post, pageNumber: last.pageNumber } : null;
    },
    related: async () => new Map(),
    series: async (slug) =>
      posts
        .filter((post) => post.series?.slug === slug)
        .sort((one, other) => (one.series?.part ?? 0) - (other.series?.part ?? 0))
        .map(summaryOf),
    allSeries: async () => [...new Set(posts.flatMap(({ series }) => series?.slug ?? []))].sort(),
    sitemapPosts: async (list, { from, to }) =>
      listed(list)
        .filter(({ pageNumber }) => pageNumber >= from && pageNumber <= to)
        .map(({ post: { slug, canonicalUrl, updatedAt } }) => ({ slug, canonicalUrl, updatedAt }))
        .reverse(),
    pageAt: async (slug) => posts.find((post) => post.slug === slug && post.type === 'page')?.id ?? null,
    redirects: async (formerSlugs) => new Map(targets(formerSlugs)),
    publishedSlugs: async (slugs) =>
      new Set(posts.flatMap(({ slug }) => (slugs.includes(slug) ? [slug] : []))),
    ownerRedirects: async (paths) =>
      new Map(Object.entries(ownerRedirects).filter(([path]) => paths.includes(path))),
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
    listSizes: async (kind) =>
      new Map((kind === 'tag' ? tagSlugs : months).map((list) => [list, listed(list).length])),
    allLists: async () => [...months, ...tagSlugs],
    allPageNumbers: async (list) => pageNumbersOf(list).reverse(),
    allSitemapChunks: async (list, length) =>
      [...new Set(pageNumbersOf(list).map((pageNumber) => Math.ceil(pageNumber / length)))].reverse(),
    allRedirects: async () => Object.keys(redirects),
    allOwnerRedirects: async () => Object.keys(ownerRedirects),
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
function withBody({
  source: _source,
  tagPages: _tags,
  monthPage: _month,
  featuredPage: _featured,
  ...post
}: PlacedPost): SitePost {
  return post;
}
