import { createBlogIds } from './blog-ids.ts';
import { type Call, createCall, type OptionsOf } from './call.ts';
import type { DiscoverPostsQuery, RenderMarkdown, SearchPostsQuery } from './generated/types.ts';
import { List } from './list.ts';
import { type Clock, type WaitUntilLiveOptions, waitUntilLive } from './live.ts';
import { type Account, accountOf, type Packs, packsOf, type Tokens, tokensOf } from './resources/account.ts';
import { type Blogs, blogsOf } from './resources/blogs.ts';
import { type Analytics, analyticsOf, type Images, imagesOf } from './resources/content.ts';
import {
  type ApiKeys,
  apiKeysOf,
  blogPathOf,
  type Domain,
  domainOf,
  type Redirects,
  redirectsOf,
} from './resources/of-blog.ts';
import { type Posts, postsOf } from './resources/posts.ts';
import { type Surroundings, sleep } from './send.ts';
import { type PlatenOptions, settingsOf } from './settings.ts';

/**
 * A client of one Platen server. Fields have the names of the API, in what you send and in what you get, so its
 * reference describes them. Methods take the slug or id first, then the fields or the query, then options.
 */
export class Platen {
  readonly posts: Posts;
  readonly images: Images;
  readonly blogs: Blogs;
  readonly redirects: Redirects;
  readonly domain: Domain;
  readonly apiKeys: ApiKeys;
  readonly tokens: Tokens;
  readonly account: Account;
  readonly analytics: Analytics;
  readonly packs: Packs;
  readonly #call: Call;
  readonly #clock: Clock;
  readonly #options: PlatenOptions;

  constructor(options: PlatenOptions = {}) {
    const settings = settingsOf(options);
    const surroundings: Surroundings = {
      now: () => Date.now(),
      random: Math.random,
      sleep,
      fetch: settings.fetch,
    };
    const ids = createBlogIds(() => call('listBlogs', {}));
    const call = createCall(settings, surroundings, ids.find);
    const path = blogPathOf(ids, settings.blog);
    this.posts = postsOf(call);
    this.images = imagesOf(call);
    this.blogs = blogsOf(call, ids);
    this.redirects = redirectsOf(call, path);
    this.domain = domainOf(call, path);
    this.apiKeys = apiKeysOf(call, path);
    this.tokens = tokensOf(call);
    this.account = accountOf(call);
    this.analytics = analyticsOf(call);
    this.packs = packsOf(call);
    this.#call = call;
    this.#clock = surroundings;
    this.#options = options;
  }

  /** The same client for another blog of the account, by its id or slug. */
  withBlog(blog: string): Platen {
    return new Platen({ ...this.#options, blog });
  }

  /** Searches the published posts of a blog. */
  search(query: SearchPostsQuery, options?: OptionsOf<'searchPosts'>) {
    return new List((page: SearchPostsQuery) => this.#call('searchPosts', { query: page }, options), query);
  }

  /** Searches the published posts of all blogs of the server. Needs no API key. */
  discover(query: DiscoverPostsQuery, options?: OptionsOf<'discoverPosts'>) {
    return new List(
      (page: DiscoverPostsQuery) => this.#call('discoverPosts', { query: page }, options),
      query,
    );
  }

  /** Renders Markdown as a post would be, and stores nothing. */
  renderMarkdown(markdown: RenderMarkdown, options?: OptionsOf<'renderMarkdown'>) {
    return this.#call('renderMarkdown', { body: markdown }, options);
  }

  /** The progress of a write, by its `rebuild_id`. */
  rebuild(id: string, options?: OptionsOf<'getRebuild'>) {
    return this.#call('getRebuild', { path: { id } }, options);
  }

  /**
   * Resolves when readers see what a write changed: to the receipt of its rebuild, or to null if there is nothing to
   * wait for. Throws a RebuildFailedError, or a TimeoutError after `timeout` milliseconds (120,000 by default).
   */
  waitUntilLive(answer: { readonly rebuild_id?: string }, options?: WaitUntilLiveOptions) {
    return waitUntilLive(this.#call, this.#clock, answer, options);
  }

  /** The OpenAPI document of the server. Needs no API key. */
  openApiDocument(options?: OptionsOf<'getOpenApiDocument'>) {
    return this.#call('getOpenApiDocument', {}, options);
  }
}
