import type { FrontPage } from '../../generator/site/blog.ts';
import type { Post, PostInput, PostPatch, WrittenPost } from '../../server/posts/post.ts';
import type { TierName } from '../../server/tiers/tier.ts';
import {
  type DatedPost,
  firstWord,
  type ListPage,
  type PostPage,
  type PostRef,
  type ReadersView,
  toSeconds,
} from './readers-view.ts';

/** The lengths that docs/decisions and docs/benchmarks.md give. */
const PAGE = 10;
const LONGEST_PAGE = 15;
const ROOT = 10;
const BLOG_FEED = 30;
const TAG_FEED = 10;
const LLMS = 100;
const FEATURED = 3;

/** Slugs of the tags that tests use, written by hand: tags keep their script and ignore case. */
const tagSlugs: Readonly<Record<string, string>> = {
  Rust: 'rust',
  rust: 'rust',
  'C++': 'c-plus-plus',
  日本: '日本',
  'a/b': 'a-b',
  '..': 'u2e-u2e',
  Ink: 'ink',
  ink: 'ink',
  Paper: 'paper',
  Type: 'type',
};

/** The state of a post as written. */
interface Written {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly type: 'post' | 'page';
  readonly isUnlisted: boolean;
  readonly isFeatured: boolean;
  readonly series: { readonly name: string; readonly part: number } | null;
  readonly canonicalUrl: string | null;
  readonly language: string | null;
  readonly translations: Readonly<Record<string, string>>;
  /** Null if readers do not see the post. */
  readonly publishedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly formerSlugs: readonly string[];
}

interface Published extends Written {
  readonly publishedAt: string;
}

/**
 * What readers of a blog must see, derived only from requests and responses, not from the server or the generator. It
 * is updated with each call and compared with the files on the edge.
 */
export class ExpectedBlog {
  readonly #posts = new Map<string, Written>();
  /** Post ids on each list page of each list: of the blog (''), its tags (`rust`) and its months (`@2026-01`). */
  readonly #lists = new Map<string, Map<number, string[]>>();
  #frontPage: FrontPage | null = null;
  #language = 'en';
  /** Targets of the owner's redirects, by address. */
  readonly #redirects = new Map<string, string>();
  /** The numbers of the image that is the icon, of the one that pages show until that is made, and of all that are made. */
  #icon: number | null = null;
  #shownIcon: number | null = null;
  readonly #madeIcons = new Set<number>();
  /** Images that are, or have been, an icon. */
  readonly #requestedIcons = new Set<number>();
  #name: string;
  #tier: TierName;

  constructor(name: string, tier: TierName) {
    this.#name = name;
    this.#tier = tier;
  }

  renamed(name: string): void {
    this.#name = name;
  }

  /** Which page is at the root, and where the list is then. */
  fronted(frontPage: FrontPage | null): void {
    this.#frontPage = frontPage;
  }

  /** The blog's language. */
  spoken(language: string): void {
    this.#language = language;
  }

  iconSet(image: number | null): void {
    this.#icon = image;
    if (image === null || this.#madeIcons.has(image)) this.#shownIcon = image;
    if (image !== null) this.#requestedIcons.add(image);
  }

  iconsMade(): void {
    for (const image of this.#requestedIcons) this.#madeIcons.add(image);
    this.#shownIcon = this.#icon;
  }

  iconImageDeleted(image: number): void {
    if (this.#icon === image || this.#shownIcon === image) this.#shownIcon = null;
    if (this.#icon === image) this.#icon = null;
    this.#requestedIcons.delete(image);
    this.#madeIcons.delete(image);
  }

  movedTo(tier: TierName): void {
    this.#tier = tier;
  }

  redirectSet(from: string, to: string): void {
    this.#redirects.set(from, to);
  }

  redirectRemoved(from: string): void {
    this.#redirects.delete(from);
  }

  created(input: PostInput, { id, slug, publishedAt, createdAt }: WrittenPost): void {
    this.#claim(slug);
    const { title, content, tags, type = 'post', isUnlisted = false, isFeatured = false } = input;
    this.#set({
      ...{ id, slug, title, content, tags, type, isUnlisted, isFeatured },
      series: this.#placeInSeries(null, input.series ?? null, id),
      canonicalUrl: input.canonicalUrl ?? null,
      language: input.language ?? null,
      translations: input.translations ?? {},
      publishedAt: null,
      ...{ createdAt, updatedAt: createdAt },
      formerSlugs: [],
    });
    if (publishedAt !== null) this.published({ id, publishedAt, updatedAt: createdAt });
  }

  updated(patch: PostPatch, { id, updatedAt }: Pick<Post, 'id' | 'updatedAt'>): void {
    const { title, content, slug, tags, publishedAt } = patch;
    const post = this.#get(id);
    const moves = slug !== undefined && slug !== post.slug;
    if (moves) this.#claim(slug);
    if (moves && this.#frontPage?.page === post.slug) this.#frontPage = { ...this.#frontPage, page: slug };
    const leavesAddress = moves && post.publishedAt !== null;
    const { formerSlugs } = this.#get(id);
    const now = {
      ...post,
      title: title ?? post.title,
      content: content ?? post.content,
      slug: slug ?? post.slug,
      tags: tags ?? post.tags,
      publishedAt: publishedAt ?? post.publishedAt,
      updatedAt,
      formerSlugs: leavesAddress ? [...formerSlugs, post.slug] : formerSlugs,
      isUnlisted: patch.isUnlisted ?? post.isUnlisted,
      isFeatured: patch.isFeatured ?? post.isFeatured,
      series: patch.series === undefined ? post.series : this.#placeInSeries(post.series, patch.series, id),
      canonicalUrl: patch.canonicalUrl === undefined ? post.canonicalUrl : patch.canonicalUrl,
      language: patch.language === undefined ? post.language : patch.language,
      translations:
        patch.translations === undefined
          ? renamedSelf(post.translations, post.slug, slug ?? post.slug)
          : (patch.translations ?? {}),
    };
    const [before, after] = [isPublished(post) ? listsOf(post) : [], isPublished(now) ? listsOf(now) : []];
    const isRedated = post.publishedAt !== now.publishedAt || post.isUnlisted !== now.isUnlisted;
    if (isRedated) this.#move(id, before, []);
    this.#set(now);
    this.#move(id, isRedated ? [] : before, after);
  }

  published({ id, publishedAt, updatedAt }: Pick<Post, 'id' | 'publishedAt' | 'updatedAt'>): void {
    const post = this.#get(id);
    if (isPublished(post) || publishedAt === null) return;
    const now = { ...post, publishedAt, updatedAt };
    this.#set(now);
    this.#move(id, [], listsOf(now));
  }

  withdrawn({ id }: Pick<WrittenPost, 'id'>): void {
    const post = this.#get(id);
    this.#set({ ...post, publishedAt: null });
    if (isPublished(post)) this.#move(id, listsOf(post), []);
  }

  removed(slug: string): void {
    const post = [...this.#posts.values()].find((one) => one.slug === slug);
    if (!post) throw new Error(`nobody has written ${slug}`);
    this.withdrawn(post);
    this.#posts.delete(post.id);
  }

  /** Titles that readers can find, in alphabetical order. */
  titles(): string[] {
    return [...this.#newest(''), ...this.#newest('#pages')].map(({ title }) => title).sort();
  }

  /** Slugs of all posts, the newest first. */
  slugs(): string[] {
    return [...this.#posts.values()].map(({ slug }) => slug).reverse();
  }

  view(): ReadersView {
    const posts = this.#newest('');
    const pages = this.#newest('#pages');
    const live = [...posts, ...pages, ...this.#newest('#unlisted')];
    const front = live.find(({ slug, type }) => type === 'page' && slug === this.#frontPage?.page);
    const tags = [...this.#lists.keys()].filter((list) => list !== '' && !/^[@#]/.test(list));
    const months = [...this.#lists.keys()].filter((list) => list.startsWith('@'));
    const moved = live.flatMap(({ slug, formerSlugs }) =>
      formerSlugs.flatMap((old): [string, string][] => [
        [`/${old}/`, slug === front?.slug ? '/' : `/${slug}/`],
        [`/${old}.md`, `/${slug}.md`],
      ]),
    );
    const taken = new Set([
      ...live.flatMap(({ slug }) => [`/${slug}/`, `/${slug}.md`]),
      ...(this.#frontPage ? [`/${this.#frontPage.list}/`] : []),
      ...moved.map(([from]) => from),
    ]);
    const redirects = [...moved, ...[...this.#redirects].filter(([from]) => !taken.has(from))];
    const feeds = [
      ...feedsAt('/', posts.slice(0, BLOG_FEED)),
      ...tags.flatMap((tag) => feedsAt(`/tags/${tag}/`, this.#newest(tag).slice(0, TAG_FEED))),
    ];
    return {
      icon: this.#shownIcon === null ? null : `favicon ${this.#shownIcon}`,
      posts: Object.fromEntries(
        [
          ...posts.map((post, at) => ({ post, newer: posts[at - 1], older: posts[at + 1] })),
          ...live.slice(posts.length).map((post) => ({ post, newer: undefined, older: undefined })),
        ].map(({ post, newer, older }) => [
          post === front ? '/' : pathOf(post),
          this.#page(post, newer, older),
        ]),
      ),
      series: this.#series(),
      lists: Object.fromEntries(['', ...tags, ...months].flatMap((list) => this.#pages(list))),
      tags: Object.fromEntries(
        tags.map((tag) => [`/tags/${tag}/`, spelling(tag, this.#newest(tag).at(-1)) ?? '']),
      ),
      sizes: Object.fromEntries(
        [...tags, ...months].map((list) => [this.#listRoot(list), this.#newest(list).length]),
      ),
      months: months
        .map((list) => `/archive/${list.slice(1)}/`)
        .sort()
        .reverse(),
      feeds: Object.fromEntries(feeds),
      sitemap: this.#isIndexable
        ? [
            ...new Set(['/', this.#listRoot('')]),
            ...[...posts, ...pages]
              .filter((post) => post !== front && post.canonicalUrl === null)
              .map(pathOf),
          ].sort()
        : null,
      redirects: {
        ...Object.fromEntries(redirects),
        ...(front && { [pathOf(front)]: '/' }),
        ...(this.#frontPage && !front && { '/': this.#listRoot('') }),
      },
      llms: ['free', 'starter'].includes(this.#tier)
        ? null
        : posts.slice(0, LLMS).map(({ slug, title }) => ({ path: `/${slug}.md`, title })),
    };
  }

  get #isIndexable(): boolean {
    return this.#tier !== 'free';
  }

  #page(post: Published, newer: Published | undefined, older: Published | undefined): PostPage {
    const beside = this.#partsBeside(post);
    return {
      windowTitle: `${post.title} · ${this.#name}`,
      heading: post.title,
      publishedAt: post.type === 'page' ? '' : post.publishedAt,
      modifiedAt: modifiedAt(post),
      tags: (post.isUnlisted ? [] : post.tags).filter(
        (tag, at) => post.tags.findIndex((one) => slugOf(one) === slugOf(tag)) === at,
      ),
      firstWord: firstWord(post.content.replace(/<[^>]*>/g, '')),
      newer: newer && !beside.includes(newer) ? refTo(newer) : null,
      older: older && !beside.includes(older) ? refTo(older) : null,
      previousPart: beside[0] ? refTo(beside[0]) : null,
      nextPart: beside[1] ? refTo(beside[1]) : null,
      canonical: post.canonicalUrl ?? null,
      indexable: this.#isIndexable && !post.isUnlisted,
      language: post.language ?? selfNamed(post) ?? this.#languageOfText(post.content),
      markdown: post.content,
    };
  }

  /** All letters of the tests' texts are Latin, as those of any language that is not written from the right. */
  #languageOfText(content: string): string {
    const hasLetters = /\p{L}/u.test(content.replace(/<[^>]*>/g, ''));
    return hasLetters && this.#language === 'he' ? 'und-Latn' : this.#language;
  }

  /** The pages of a list by path: one for each full list page, and the first page with the newest posts. */
  #pages(list: string): [string, ListPage][] {
    const root = this.#listRoot(list);
    const pages = this.#listPages(list);
    const folder = list === '' ? '/' : root;
    const addresses = pages.map(([number]) => `${folder}page/${number}/`);
    const page = (posts: readonly Published[], newer: string | null, older: string | null): ListPage => ({
      tag: spelling(list, posts[0]),
      posts: posts.map(datedRefTo),
      featured: [],
      newer,
      older,
      indexable: this.#isIndexable,
    });
    const numbered = pages.map(([, posts], at): [string, ListPage] => [
      addresses[at] ?? '',
      page(posts, addresses[at - 1] ?? root, addresses[at + 1] ?? null),
    ]);
    // Only whole list pages, so that a reader who follows "older" sees no post twice.
    let shown = 0;
    for (let posts = 0; posts < ROOT && shown < pages.length; shown++) posts += pages[shown]?.[1].length ?? 0;
    const newest = pages.slice(0, shown).flatMap(([, posts]) => posts);
    const featured = list === '' ? this.#newest('#featured').slice(0, FEATURED) : [];
    const front = {
      ...page(newest, null, addresses[shown] ?? null),
      featured: featured.filter((post) => !newest.includes(post)).map(datedRefTo),
    };
    return [[root, front], ...numbered];
  }

  /** Where the first page of a list is. */
  #listRoot(list: string): string {
    if (list === '') return this.#frontPage ? `/${this.#frontPage.list}/` : '/';
    return list.startsWith('@') ? `/archive/${list.slice(1)}/` : `/tags/${list}/`;
  }

  /** Titles on the page of each series, in order of their parts. */
  #series(): Record<string, readonly string[]> {
    const slugs = new Set(this.#newest('').flatMap(({ series }) => (series ? slugOf(series.name) : [])));
    return Object.fromEntries(
      [...slugs].map((slug) => [`/series/${slug}/`, this.#partsOf(slug).map(({ title }) => title)]),
    );
  }

  #partsOf(slug: string): Published[] {
    const posts = this.#newest('').filter(({ series }) => series && slugOf(series.name) === slug);
    return posts.sort(
      (one, other) =>
        (one.series?.part ?? 0) - (other.series?.part ?? 0) ||
        Number(one.id > other.id) - Number(one.id < other.id),
    );
  }

  /** The previous and the next part of its series. */
  #partsBeside(post: Published): readonly (Published | undefined)[] {
    const parts = post.series && !post.isUnlisted ? this.#partsOf(slugOf(post.series.name)) : [];
    const at = parts.indexOf(post);
    return at < 0 ? [] : [parts[at - 1], parts[at + 1]];
  }

  /** A post keeps its part of a series; one that is new there becomes the last. */
  #placeInSeries(current: Written['series'], wanted: PostInput['series'], id: string): Written['series'] {
    if (!wanted) return null;
    const { name, part } = wanted;
    if (part !== undefined) return { name, part };
    if (current && slugOf(current.name) === slugOf(name)) return { name, part: current.part };
    const others = [...this.#posts.values()].filter(
      (post) => post.id !== id && post.series && slugOf(post.series.name) === slugOf(name),
    );
    return { name, part: Math.max(0, ...others.map(({ series }) => series?.part ?? 0)) + 1 };
  }

  /** The posts of a list, newest first. */
  #newest(list: string): Published[] {
    return this.#listPages(list).flatMap(([, posts]) => posts);
  }

  #listPages(list: string): [number, Published[]][] {
    const pages = [...(this.#lists.get(list) ?? [])].map(([number, ids]): [number, Published[]] => [
      number,
      ids
        .map((id) => this.#get(id))
        .filter(isPublished)
        .sort(newestFirst),
    ]);
    return pages.sort(([, [one]], [, [other]]) => (one && other ? newestFirst(one, other) : 0));
  }

  #move(id: string, from: readonly string[], to: readonly string[]): void {
    for (const list of from) if (!to.includes(list)) this.#leave(list, id);
    for (const list of to) if (!from.includes(list)) this.#join(list, id);
  }

  /**
   * A post joins the list page of its date. At an end of the list, a full page is followed by a new one; elsewhere, a
   * page that has grown too long gives the newer half of its posts to a new one.
   */
  #join(list: string, id: string): void {
    const pages = this.#lists.get(list) ?? new Map<number, string[]>();
    const post = this.#published(id);
    const listed = [...pages].flatMap(([number, ids]) =>
      ids.map((one) => ({ number, post: this.#published(one) })),
    );
    const inOrder = listed.sort((one, other) => newestFirst(one.post, other.post));
    const older = inOrder.find((other) => newestFirst(post, other.post) < 0)?.number;
    const newer = inOrder.findLast((other) => newestFirst(post, other.post) > 0)?.number;
    const sizeOf = (number: number) => pages.get(number)?.length ?? 0;
    const end = newer ?? older;
    const next = Math.max(0, ...pages.keys()) + 1;
    const add = (number: number) => void pages.set(number, [...(pages.get(number) ?? []), id]);
    this.#lists.set(list, pages);
    if (older === undefined || newer === undefined) {
      add(end === undefined || sizeOf(end) >= PAGE ? next : end);
      return;
    }
    const number = sizeOf(older) <= sizeOf(newer) ? older : newer;
    add(number);
    if (sizeOf(number) <= LONGEST_PAGE) return;
    const ids = (pages.get(number) ?? []).map((one) => this.#published(one)).sort(newestFirst);
    const half = Math.floor(ids.length / 2);
    pages.set(
      next,
      ids.slice(0, half).map((one) => one.id),
    );
    pages.set(
      number,
      ids.slice(half).map((one) => one.id),
    );
  }

  #published(id: string): Published {
    const post = this.#get(id);
    if (!isPublished(post)) throw new Error(`${id} is not published`);
    return post;
  }

  #leave(list: string, id: string): void {
    const pages = this.#lists.get(list) ?? new Map<number, string[]>();
    for (const [number, ids] of pages) {
      const others = ids.filter((one) => one !== id);
      if (others.length > 0) pages.set(number, others);
      else pages.delete(number);
    }
    if (pages.size === 0) this.#lists.delete(list);
  }

  /** A post that takes a former address ends its redirect. */
  #claim(slug: string): void {
    for (const post of this.#posts.values()) {
      this.#set({ ...post, formerSlugs: post.formerSlugs.filter((old) => old !== slug) });
    }
  }

  #set(post: Written): void {
    this.#posts.set(post.id, post);
  }

  #get(id: string): Written {
    const post = this.#posts.get(id);
    if (!post) throw new Error(`nobody has written ${id}`);
    return post;
  }
}

/** A post that is among its own translations stays there under its new slug. */
const renamedSelf = (translations: Written['translations'], from: string, to: string) =>
  Object.fromEntries(Object.entries(translations).map(([lang, slug]) => [lang, slug === from ? to : slug]));

/** The language under which a post is among its own translations. */
function selfNamed({ slug, translations }: Written): string | undefined {
  const languages = Object.keys(translations).filter((lang) => translations[lang] === slug);
  return languages.sort()[0];
}

const isPublished = (post: Written): post is Published => post.publishedAt !== null;

function listsOf({ tags, publishedAt, type, isUnlisted, isFeatured }: Published): string[] {
  if (isUnlisted) return ['#unlisted'];
  if (type === 'page') return ['#pages'];
  const featured = isFeatured ? ['#featured'] : [];
  return ['', ...new Set(tags.map(slugOf)), `@${publishedAt.slice(0, 7)}`, ...featured];
}

function slugOf(tag: string): string {
  const slug = tagSlugs[tag];
  if (slug === undefined) throw new Error(`the slug of ${tag} is not known`);
  return slug;
}

/** The label of the tag with this slug in a post, if it has the tag. */
const spelling = (slug: string, post: Published | undefined): string | null =>
  post?.tags.find((tag) => slugOf(tag) === slug) ?? null;

/** A post from elsewhere is as old as its publication, until a day after it came. */
function modifiedAt({ createdAt, publishedAt, updatedAt }: Published): string {
  const isSettled = Date.parse(updatedAt) - Date.parse(createdAt) >= 86_400_000;
  const counts = isSettled || publishedAt >= createdAt;
  return counts && updatedAt > publishedAt ? updatedAt : publishedAt;
}

const newestFirst = (one: Published, other: Published): number =>
  `${one.publishedAt} ${one.id}` < `${other.publishedAt} ${other.id}` ? 1 : -1;

const pathOf = ({ slug }: Written): string => `/${slug}/`;

const refTo = (post: Published): PostRef => ({ path: pathOf(post), title: post.title });

const datedRefTo = (post: Published): DatedPost => ({ ...refTo(post), publishedAt: post.publishedAt });

function feedsAt(root: string, posts: readonly Published[]): [string, DatedPost[]][] {
  const entries = posts.map((post) => ({ ...refTo(post), publishedAt: toSeconds(post.publishedAt) }));
  return ['feed.xml', 'rss.xml', 'feed.json'].map((file) => [root + file, entries]);
}
