// Made from the OpenAPI document by `npm run generate-sdk-types`. Do not edit.

export type CreatePost = {
  /**
   * A page stands outside lists, feeds, tags and the archive, such as /about/.
   * @default "post"
   */
  type?: "post" | "page" | undefined;
  title: string;
  /** GitHub Flavored Markdown, at most 1048576 bytes of UTF-8. */
  content?: string | undefined;
  /** The same as `content`, under the name that it has in responses and exports. */
  content_md?: string | undefined;
  /** Derived from the title if missing. */
  slug?: string | undefined;
  /** @default [] */
  tags?: string[] | undefined;
  /**
   * A scheduled post needs `scheduled_at`.
   * @default "draft"
   */
  status?: "draft" | "published" | "scheduled" | undefined;
  /** When the post was first published, in the past, such as 2019-03-14T09:30:00+01:00: its place in lists. */
  published_at?: string | null | undefined;
  /** When to publish a post with the status scheduled. In the future. */
  scheduled_at?: string | null | undefined;
  meta?: {
    /** Derived from the content if null or empty. */
    description?: string | null | undefined;
    /** If null, a preview card is drawn for the post. It may be the address of an uploaded image. */
    og_image?: string | null | undefined;
  } | undefined;
  /** The post in other languages. Each translation has to name this post, too. */
  translations?: Record<string, string> | null | undefined;
  /** Slugs that the post had elsewhere or before. They redirect to it. */
  previous_slugs?: string[] | undefined;
  /** Whether the first page of the blog’s list picks the post out: the three newest of them, above the list. */
  featured?: boolean | undefined;
  /** Live at its address, but in no list, feed, sitemap or search. */
  unlisted?: boolean | undefined;
  /** The series that the post is a part of. Null takes it out. */
  series?: {
    name: string;
    /** Its place in the series. If missing, it keeps its place, or becomes the last part. */
    part?: number | undefined;
  } | null | undefined;
  /** Where the original is, if the post first appeared elsewhere: search engines show that. */
  canonical_url?: string | null | undefined;
  /** The language of the post. If null, the one that its script reveals, or else that of the blog. */
  language?: string | null | undefined;
  /** If null, the author of the blog. */
  author?: {
    name: string;
    url?: string | null | undefined;
    /** A picture, square at best. */
    image?: string | null | undefined;
  } | null | undefined;
  /** At the head of the post, in lists, feeds and link previews. */
  cover_image?: {
    url: string;
    /**
     * What the picture shows, for readers who do not see it.
     * @default ""
     */
    alt?: string | undefined;
  } | null | undefined;
} & ({
  /** GitHub Flavored Markdown, at most 1048576 bytes of UTF-8. */
  content: string;
} | {
  /** The same as `content`, under the name that it has in responses and exports. */
  content_md: string;
});

export interface CreatedPost {
  id: string;
  slug: string;
  url: string;
  status: "draft" | "published" | "scheduled";
  created_at: string;
  /** The rebuild that publishes the write; missing if readers cannot see a difference. */
  rebuild_id?: string;
}

export interface Warned {
  /** What the request has and nothing reads: unknown and read-only fields, unknown query parameters, unknown variables of a layout; also language tags that nobody knows, redirects to addresses where nothing is published, and what is odd beside other posts. Missing if there is nothing of the kind. */
  warnings?: string[];
}

export interface PostPage {
  data: PostSummary[];
  pagination: Pagination;
}

export interface PostSummary {
  id: string;
  title: string;
  slug: string;
  status: "draft" | "published" | "scheduled";
  tags: string[];
  /** As given, or derived from the content. */
  meta_description: string;
  published_at: string | null;
  created_at: string;
  updated_at: string;
  /** Only of a page. */
  type?: "page";
}

export interface Pagination {
  page: number;
  per_page: number;
  /** Entries on all pages. */
  total: number;
  total_pages: number;
}

export interface Post {
  id: string;
  title: string;
  slug: string;
  status: "draft" | "published" | "scheduled";
  tags: string[];
  /** As given, or derived from the content. */
  meta_description: string;
  published_at: string | null;
  created_at: string;
  updated_at: string;
  type: "post" | "page";
  blog_id: string;
  url: string;
  /** As its author wrote it. */
  content_md: string;
  /** With the addresses that uploaded images have today. */
  content_html: string;
  /** As given (an uploaded image with its address of today), or the preview card of the post; null until the card is drawn. */
  og_image_url: string | null;
  scheduled_at: string | null;
  translations: Record<string, string>;
  featured: boolean;
  unlisted: boolean;
  series: {
    name: string;
    part: number;
  } | null;
  canonical_url: string | null;
  /** As given; null if it is detected. */
  language: string | null;
  author: {
    name: string;
    url: string | null;
    image: string | null;
  } | null;
  cover_image: {
    url: string;
    alt: string;
  } | null;
  /** When the operator of the server took it down. Present only while it is taken down. */
  taken_down_at?: string;
  /** The reason, in the words of the operator. */
  taken_down_reason?: string;
}

export interface UpdatePost {
  title?: string | undefined;
  /** GitHub Flavored Markdown, at most 1048576 bytes of UTF-8. */
  content?: string | undefined;
  /** The former address redirects to the new one. */
  slug?: string | undefined;
  tags?: string[] | undefined;
  /** Only for a published post, which moves to its new place in lists. Null, as in responses, for any other. */
  published_at?: string | null | undefined;
  meta?: {
    /** Derived from the content if null or empty. */
    description?: string | null | undefined;
    /** If null, a preview card is drawn for the post. It may be the address of an uploaded image. */
    og_image?: string | null | undefined;
  } | undefined;
  /** Replaces all translations; an empty object or null removes them. */
  translations?: Record<string, string> | null | undefined;
  /** Whether the first page of the blog’s list picks the post out: the three newest of them, above the list. */
  featured?: boolean | undefined;
  /** Live at its address, but in no list, feed, sitemap or search. */
  unlisted?: boolean | undefined;
  /** The series that the post is a part of. Null takes it out. */
  series?: {
    name: string;
    /** Its place in the series. If missing, it keeps its place, or becomes the last part. */
    part?: number | undefined;
  } | null | undefined;
  /** Where the original is, if the post first appeared elsewhere: search engines show that. */
  canonical_url?: string | null | undefined;
  /** The language of the post. If null, the one that its script reveals, or else that of the blog. */
  language?: string | null | undefined;
  /** If null, the author of the blog. */
  author?: {
    name: string;
    url?: string | null | undefined;
    /** A picture, square at best. */
    image?: string | null | undefined;
  } | null | undefined;
  /** At the head of the post, in lists, feeds and link previews. */
  cover_image?: {
    url: string;
    /**
     * What the picture shows, for readers who do not see it.
     * @default ""
     */
    alt?: string | undefined;
  } | null | undefined;
}

export interface ChangedPost {
  id: string;
  title: string;
  slug: string;
  status: "draft" | "published" | "scheduled";
  tags: string[];
  /** As given, or derived from the content. */
  meta_description: string;
  published_at: string | null;
  created_at: string;
  updated_at: string;
  type: "post" | "page";
  blog_id: string;
  url: string;
  /** As its author wrote it. */
  content_md: string;
  /** With the addresses that uploaded images have today. */
  content_html: string;
  /** As given (an uploaded image with its address of today), or the preview card of the post; null until the card is drawn. */
  og_image_url: string | null;
  scheduled_at: string | null;
  translations: Record<string, string>;
  featured: boolean;
  unlisted: boolean;
  series: {
    name: string;
    part: number;
  } | null;
  canonical_url: string | null;
  /** As given; null if it is detected. */
  language: string | null;
  author: {
    name: string;
    url: string | null;
    image: string | null;
  } | null;
  cover_image: {
    url: string;
    alt: string;
  } | null;
  /** When the operator of the server took it down. Present only while it is taken down. */
  taken_down_at?: string;
  /** The reason, in the words of the operator. */
  taken_down_reason?: string;
  /** The rebuild that publishes the write; missing if readers cannot see a difference. */
  rebuild_id?: string;
}

export interface DeletedPost {
  deleted: true;
  /** The rebuild that publishes the write; missing if readers cannot see a difference. */
  rebuild_id?: string;
}

export interface PublishPost {
  /** When the post was first published, in the past, such as 2019-03-14T09:30:00+01:00: its place in lists. */
  published_at?: string | undefined;
}

export interface PublishedPost {
  id: string;
  slug: string;
  url: string;
  status: "published";
  published_at: string;
  /** The rebuild that publishes the write; missing if readers cannot see a difference. */
  rebuild_id?: string;
}

export interface SchedulePost {
  /** A time in the future: ISO 8601 with a time zone. */
  scheduled_at: string;
}

export interface ScheduledPost {
  id: string;
  slug: string;
  status: "scheduled";
  scheduled_at: string;
  /** The rebuild that publishes the write; missing if readers cannot see a difference. */
  rebuild_id?: string;
}

export interface UnpublishedPost {
  id: string;
  slug: string;
  status: "draft";
  /** The rebuild that publishes the write; missing if readers cannot see a difference. */
  rebuild_id?: string;
}

export interface UploadImage {
  /** The image in base64: at most 5 MB before encoding. */
  data: string;
  /** Shown in lists. The stored file has a generated name. */
  filename?: string | null | undefined;
  content_type: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
}

export interface UploadForm {
  /** The image: at most 5 MB. */
  file: Blob;
}

export interface UploadedImage {
  /** The address to use in Markdown. A post that names it shows the image wherever images are later. */
  url: string;
}

export interface ImagePage {
  data: StoredImage[];
  pagination: Pagination;
  /** For all blogs of the account. The smaller copies that pages offer do not count. */
  storage: {
    used_bytes: number;
    /** Included in the plan; null means no limit. */
    included_bytes: number | null;
  };
}

export interface StoredImage {
  id: string;
  blog_id: string;
  /** The address to use in Markdown. */
  url: string;
  /** File name at upload. */
  filename: string | null;
  content_type: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
  bytes: number;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** Posts of the account, drafts included, that use it in their content or as `og_image`. */
  used_in: number;
  /** Blogs of the account that use it as their icon or as the picture of their author. */
  used_by_blogs: number;
  created_at: string;
}

export interface DeletedImage {
  deleted: true;
  used_in: {
    /** Published posts that still use it, in which it is missing now. */
    published: number;
    /** Up to 20 of them. */
    posts: {
      blog_id: string;
      slug: string;
    }[];
    /** Blogs whose icon, or whose author’s picture, it was. They have none now, and are rebuilt. */
    blogs: string[];
  };
}

export interface FoundPage {
  data: FoundPost[];
  pagination: Pagination;
}

export interface FoundPost {
  slug: string;
  title: string;
  /** About the first 200 characters of the post's text, without code, tables and formulas that stand alone; its description if there is nothing else. */
  excerpt: string;
  tags: string[];
  created_at: string;
}

export interface DiscoveredPage {
  data: DiscoveredPost[];
  pagination: Pagination;
}

export interface DiscoveredPost {
  slug: string;
  title: string;
  /** About the first 200 characters of the post's text, without code, tables and formulas that stand alone; its description if there is nothing else. */
  excerpt: string;
  tags: string[];
  created_at: string;
  blog_name: string;
  blog_domain: string;
  url: string;
  /** The blog for language models; null below the Creator plan. */
  llms_txt_url: string | null;
}

export interface CreateBlog {
  slug: string;
  name: string;
  /** @default "" */
  description?: string | undefined;
}

export interface CreatedBlog {
  id: string;
  slug: string;
  name: string;
  url: string;
  created_at: string;
  rebuild_id: string;
}

export interface BlogList {
  data: BlogSummary[];
}

export interface BlogSummary {
  id: string;
  slug: string;
  name: string;
  description: string;
  /** Also set while its DNS does not point here yet. */
  custom_domain: string | null;
  created_at: string;
  updated_at: string;
  /** When the operator of the server took it down. Present only while it is taken down. */
  taken_down_at?: string;
  /** The reason, in the words of the operator. */
  taken_down_reason?: string;
}

export interface Blog {
  id: string;
  slug: string;
  name: string;
  description: string;
  /** Also set while its DNS does not point here yet. */
  custom_domain: string | null;
  created_at: string;
  updated_at: string;
  /** When the operator of the server took it down. Present only while it is taken down. */
  taken_down_at?: string;
  /** The reason, in the words of the operator. */
  taken_down_reason?: string;
  url: string;
  theme_config: Record<string, string>;
  settings: {
    accent_color: string | null;
    language: string;
    author: {
      name: string;
      url: string | null;
      image: string | null;
    } | null;
    social_links: {
      label: string;
      url: string;
    }[];
    navigation: {
      label: string;
      url: string;
    }[];
    front_page: {
      page: string;
      list: string;
    } | null;
    icon: string | null;
  };
}

export interface UpdateBlog {
  /** The host of the former slug redirects to the new one for ever. */
  slug?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  /** Elements left open in HTML are closed. HTML may contain scripts, which run on this blog alone. */
  theme_config?: {
    /** A style sheet after the theme’s own. At most 65536 bytes. An empty string or null removes it. */
    customCss?: string | null | undefined;
    /** HTML below every post and below the entries of lists. At most 65536 bytes. An empty string or null removes it. */
    adCode?: string | null | undefined;
    /** HTML at the top of every page. At most 65536 bytes. An empty string or null removes it. */
    headerHtml?: string | null | undefined;
    /** HTML at the bottom of every page. At most 65536 bytes. An empty string or null removes it. */
    footerHtml?: string | null | undefined;
    /** A Liquid template for everything within `body`. It prints `{{ content }}`, the main part of the page, once, or lists `posts` itself. It can use `blog`, `page`, on posts `post`, on the front page `newest` and `featured`; its output is escaped. It reads no files, and its resources are limited. If it fails on a sample page of any kind, it is rejected with line and column. At most 65536 bytes. An empty string or null removes it. */
    layout?: string | null | undefined;
  } | undefined;
  /** Missing settings keep their values; null restores the default. */
  settings?: {
    accent_color?: string | null | undefined;
    /** Language of the blog, and of posts whose script does not reveal another one. */
    language?: string | null | undefined;
    author?: {
      name: string;
      url?: string | null | undefined;
      /** A picture, square at best. */
      image?: string | null | undefined;
    } | null | undefined;
    /** Other profiles of the author, linked with rel="me". */
    social_links?: {
      label: string;
      url: string;
    }[] | null | undefined;
    /** Links to show on every page. */
    navigation?: {
      label: string;
      url: string | string;
    }[] | null | undefined;
    /** A page in place of the list of posts. Its own address redirects to the root. */
    front_page?: {
      /** Slug of a page of the blog, which is then at its root. */
      page: string;
      /** Slug of the address at which the list of posts is then. */
      list: string;
    } | null | undefined;
    /** The image that stands for the blog: the address of an upload (POST /v1/upload), square at best. Browser tabs, home screens and the header of pages show it once its files are made, usually within seconds. */
    icon?: string | null | undefined;
  } | undefined;
}

export interface UpdatedBlog {
  id: string;
  slug: string;
  name: string;
  description: string;
  /** Also set while its DNS does not point here yet. */
  custom_domain: string | null;
  created_at: string;
  updated_at: string;
  /** When the operator of the server took it down. Present only while it is taken down. */
  taken_down_at?: string;
  /** The reason, in the words of the operator. */
  taken_down_reason?: string;
  url: string;
  theme_config: Record<string, string>;
  settings: {
    accent_color: string | null;
    language: string;
    author: {
      name: string;
      url: string | null;
      image: string | null;
    } | null;
    social_links: {
      label: string;
      url: string;
    }[];
    navigation: {
      label: string;
      url: string;
    }[];
    front_page: {
      page: string;
      list: string;
    } | null;
    icon: string | null;
  };
  /** The rebuild that publishes the write; missing if readers cannot see a difference. */
  rebuild_id?: string;
}

export interface SetRedirects {
  /** A path on the blog, in percent-encoding or plain text. Without a dot in its last name, it is meant with and without a final slash. It has no query, and is no address of the blog’s own pages. */
  from?: string | undefined;
  /** A path on the blog that begins with one slash, or an http or https address. */
  to?: string | undefined;
  /** Many redirects, in place of `from` and `to`. */
  redirects?: {
    /** A path on the blog, in percent-encoding or plain text. Without a dot in its last name, it is meant with and without a final slash. It has no query, and is no address of the blog’s own pages. */
    from: string;
    /** A path on the blog that begins with one slash, or an http or https address. */
    to: string;
  }[] | undefined;
}

export interface WrittenRedirects {
  /** In the order of the request. */
  data: {
    id: string;
    /** In percent-encoding. If its last name has no dot, it ends with a slash, however it was given. */
    from: string;
    /** In percent-encoding. */
    to: string;
    /** `replaced` if another redirect was at the same address. */
    result: "created" | "replaced" | "unchanged";
  }[];
  /** The rebuild that publishes the write; missing if readers cannot see a difference. */
  rebuild_id?: string;
}

/** A blog has at most 10000 redirects. */
export interface RedirectPage {
  data: Redirect[];
  pagination: Pagination;
}

export interface Redirect {
  id: string;
  /** In percent-encoding. If its last name has no dot, it ends with a slash, however it was given. */
  from: string;
  /** In percent-encoding. */
  to: string;
  created_at: string;
  updated_at: string;
}

export interface RemovedRedirect {
  deleted: true;
  /** The rebuild that publishes the write; missing if readers cannot see a difference. */
  rebuild_id?: string;
}

export interface PreviewLayout {
  layout: string;
  /**
   * Path of a page, or slug of a post; the front page if missing.
   * @default ""
   */
  page?: string | undefined;
}

export interface PreviewedLayout {
  html: string;
  /** Opens the page in a browser. Its links lead to the other pages of the blog in this layout. */
  url: string;
  expires_at: string;
}

export interface RegisterDomain {
  /** In any script and case. Responses have the DNS form: lower case and punycode. */
  hostname: string;
}

export interface RegisteredDomain {
  hostname: string;
  status: "pending" | "active";
  cname_target: string;
  /** How to set up the DNS, for people to read. */
  instructions: string;
  /** The rebuild that publishes the write; missing if readers cannot see a difference. */
  rebuild_id?: string;
}

export interface Domain {
  hostname: string | null;
  /** `active` once the DNS has been seen to point here; `none` if no domain is registered. */
  status: "pending" | "active" | "none";
  cname_target: string | null;
}

export interface RemovedDomain {
  removed: true;
  /** The rebuild that publishes the write; missing if readers cannot see a difference. */
  rebuild_id?: string;
}

export interface AnalyticsOverview {
  total_views: number;
  total_views_7d: number;
  total_views_30d: number;
  daily_views: {
    date: string;
    views: number;
    visitors: number;
  }[];
  top_posts: {
    slug: string;
    title: string;
    views: number;
  }[];
}

export interface PostViews {
  slug: string;
  title: string;
  total_views: number;
  views_7d: number;
  views_30d: number;
  daily_views: {
    date: string;
    views: number;
    visitors: number;
  }[];
}

export interface PurchasePack {
  pack_type: "100" | "300";
}

export interface PurchasedPack {
  purchased: true;
  pack_type: "100" | "300";
  /** Posts left in all packs. */
  balance: number;
}

export interface PackBalance {
  total_remaining: number;
  packs: Pack[];
}

export interface Pack {
  id: string;
  balance: number;
  purchased_at: string;
}

export interface CreateApiKey {
  /** @default "Default" */
  name?: string | undefined;
  /**
   * At most the scopes of the credential that creates it.
   * @default ["*"]
   */
  scopes?: ("*" | "posts:read" | "posts:write" | "blogs:read" | "blogs:write" | "analytics:read" | "search:read" | "account:read" | "account:write" | "packs:read" | "packs:write" | "domains:read" | "domains:write" | "media:write" | "media:read")[] | undefined;
  /**
   * Days until it expires; null means never.
   * @default null
   */
  expires_in?: number | null | undefined;
}

export interface CreatedApiKey {
  id: string;
  name: string;
  scopes: ("*" | "posts:read" | "posts:write" | "blogs:read" | "blogs:write" | "analytics:read" | "search:read" | "account:read" | "account:write" | "packs:read" | "packs:write" | "domains:read" | "domains:write" | "media:write" | "media:read")[];
  expires_at: string | null;
  created_at: string;
  /** The secret. It is shown only once. */
  key: string;
  prefix: string;
}

export interface ApiKeyList {
  data: ApiKey[];
}

export interface ApiKey {
  id: string;
  name: string;
  scopes: ("*" | "posts:read" | "posts:write" | "blogs:read" | "blogs:write" | "analytics:read" | "search:read" | "account:read" | "account:write" | "packs:read" | "packs:write" | "domains:read" | "domains:write" | "media:write" | "media:read")[];
  expires_at: string | null;
  created_at: string;
  key_prefix: string;
  last_used_at: string | null;
}

export interface Revoked {
  revoked: true;
}

export interface CreateToken {
  name: string;
  /**
   * At most the scopes of the credential that creates it.
   * @default ["*"]
   */
  scopes?: ("*" | "posts:read" | "posts:write" | "blogs:read" | "blogs:write" | "analytics:read" | "search:read" | "account:read" | "account:write" | "packs:read" | "packs:write" | "domains:read" | "domains:write" | "media:write" | "media:read")[] | undefined;
  /**
   * If null, every blog of the account.
   * @default null
   */
  blog_id?: string | null | undefined;
  /**
   * Days until it expires; null means never.
   * @default null
   */
  expires_in?: number | null | undefined;
}

export interface CreatedToken {
  id: string;
  name: string;
  scopes: ("*" | "posts:read" | "posts:write" | "blogs:read" | "blogs:write" | "analytics:read" | "search:read" | "account:read" | "account:write" | "packs:read" | "packs:write" | "domains:read" | "domains:write" | "media:write" | "media:read")[];
  expires_at: string | null;
  created_at: string;
  /** The secret. It is shown only once. */
  key: string;
  prefix: string;
  blog_id: string | null;
}

export interface TokenList {
  data: Token[];
}

export interface Token {
  id: string;
  name: string;
  scopes: ("*" | "posts:read" | "posts:write" | "blogs:read" | "blogs:write" | "analytics:read" | "search:read" | "account:read" | "account:write" | "packs:read" | "packs:write" | "domains:read" | "domains:write" | "media:write" | "media:read")[];
  expires_at: string | null;
  created_at: string;
  key_prefix: string;
  last_used_at: string | null;
  blog_id: string | null;
}

export interface Profile {
  id: string;
  email: string;
  name: string;
  plan: "free" | "starter" | "creator" | "scale" | "enterprise";
  created_at: string;
}

export interface AccountExport {
  exported_at: string;
  user_id: string;
  blogs: {
    blog: {
      slug: string;
      name: string;
      description: string;
      custom_domain: string | null;
      theme_config: Record<string, string>;
      settings: {
        accent_color: string | null;
        language: string;
        author: {
          name: string;
          url: string | null;
          image: string | null;
        } | null;
        social_links: {
          label: string;
          url: string;
        }[];
        navigation: {
          label: string;
          url: string;
        }[];
        front_page: {
          page: string;
          list: string;
        } | null;
        icon: string | null;
      };
    };
    posts: {
      slug: string;
      title: string;
      content_md: string;
      tags: string[];
      status: "draft" | "published" | "scheduled";
      published_at: string | null;
      scheduled_at: string | null;
      created_at: string;
      updated_at: string;
      /** As given: null for what is derived. */
      meta: {
        description: string | null;
        og_image: string | null;
      };
      translations: Record<string, string>;
      /** Slugs that redirect to the post. */
      previous_slugs: string[];
      type: "post" | "page";
      featured: boolean;
      unlisted: boolean;
      series: {
        name: string;
        part: number;
      } | null;
      canonical_url: string | null;
      /** As given; null if it is detected. */
      language: string | null;
      author: {
        name: string;
        url: string | null;
        image: string | null;
      } | null;
      cover_image: {
        url: string;
        alt: string;
      } | null;
    }[];
    images: {
      url: string;
      filename: string | null;
      width: number;
      height: number;
    }[];
    redirects: {
      from: string;
      to: string;
    }[];
  }[];
  total_posts: number;
  /** Whether posts were left out. Present once the account has as many posts as an export can hold. */
  truncated?: boolean;
  /** Present if posts were left out: the value of `after` for an export that goes on there. */
  next?: string;
}

export interface Receipt {
  id: string;
  blog_id: string;
  status: "queued" | "building" | "live" | "failed";
  files_written: number;
  files_removed: number;
  /** Number of addresses invalidated at the content delivery network. */
  invalidated: number;
  queued_at: string;
  live_at: string | null;
  duration_ms: number | null;
  /** Duration of each step in milliseconds. */
  steps: Record<string, number>;
  error: string | null;
}

export interface DeletedBlog {
  deleted: true;
}

export interface DeletedAccount {
  deleted: true;
  message: string;
}

export interface RevisionList {
  data: RevisionSummary[];
}

export interface RevisionSummary {
  id: string;
  title: string;
  written_at: string;
}

export interface Revision {
  id: string;
  title: string;
  written_at: string;
  content_md: string;
  tags: string[];
  meta: {
    description: string | null;
    og_image: string | null;
  };
  translations: Record<string, string>;
  canonical_url: string | null;
  /** As given; null if it is detected. */
  language: string | null;
  author: {
    name: string;
    url: string | null;
    image: string | null;
  } | null;
  cover_image: {
    url: string;
    alt: string;
  } | null;
}

export interface CreatePreview {
  /**
   * Days until the link expires.
   * @default 7
   */
  expires_in?: number | undefined;
}

export interface CreatedPreview {
  url: string;
  expires_at: string;
}

export interface RenderMarkdown {
  /** GitHub Flavored Markdown, at most 1048576 bytes of UTF-8. */
  content: string;
}

export interface RenderedMarkdown {
  content_html: string;
  headings: {
    level: number;
    id: string;
    text: string;
  }[];
  meta_description: string;
  word_count: number;
  /** Whole minutes, at least one. */
  reading_minutes: number;
  /** The http and https addresses that the text links to, each once, in order. */
  links: string[];
}

export interface CreatePosts {
  posts: CreatePost[];
}

export interface CreatedPosts {
  results: ({
    status: 201;
    post: CreatedPost;
  } | {
    status: number;
    error: ErrorBody;
  })[];
}

export interface ErrorBody {
  error: "bad_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "unsupported_media_type" | "rate_limit_exceeded" | "service_unavailable" | "internal_error";
  /** What went wrong, for people to read; one line for each entry of `errors`. */
  message: string;
  /** All that is wrong with the body or the query of an invalid request, the first ten entries. */
  errors?: {
    /** Path of the field, or name of the query parameter; missing if the problem is not one of a single field. */
    field?: string;
    message: string;
  }[];
  /** What the request has and nothing reads: unknown and read-only fields, unknown query parameters, unknown variables of a layout; also language tags that nobody knows, redirects to addresses where nothing is published, and what is odd beside other posts. Missing if there is nothing of the kind. */
  warnings?: string[];
  /** The section of the guides that explains what to do, if there is one. */
  docs?: string;
  /** Where to change to a plan that allows this. */
  upgrade_url?: string;
  /** Whole seconds until a retry may succeed. */
  retry_after?: number;
}

export interface OpenApiDocument {
  openapi: "3.0.3";
  [field: string]: unknown;
}

export interface ListPostsQuery {
  /** Only posts, or only pages; both if missing. */
  type?: "post" | "page" | undefined;
  status?: "draft" | "published" | "scheduled" | undefined;
  /** Only posts with this tag. */
  tag?: string | undefined;
  /** @default 1 */
  page?: number | undefined;
  /**
   * At most 100; larger values are reduced to it.
   * @default 20
   */
  per_page?: number | undefined;
  /** @default "created_at" */
  sort?: "created_at" | "updated_at" | "published_at" | undefined;
  /** @default "desc" */
  order?: "desc" | "asc" | undefined;
}

export interface ListImagesQuery {
  /** @default 1 */
  page?: number | undefined;
  /**
   * At most 100; larger values are reduced to it.
   * @default 20
   */
  per_page?: number | undefined;
}

export interface SearchPostsQuery {
  /** Words that posts must contain; the last one may be incomplete. */
  q: string;
  /** @default 1 */
  page?: number | undefined;
  /**
   * At most 50; larger values are reduced to it.
   * @default 20
   */
  per_page?: number | undefined;
}

export interface DiscoverPostsQuery {
  /** Words that posts must contain; the last one may be incomplete. */
  q: string;
  /** @default 1 */
  page?: number | undefined;
  /**
   * At most 50; larger values are reduced to it.
   * @default 20
   */
  per_page?: number | undefined;
  /** Only posts with this tag. */
  tag?: string | undefined;
}

export interface ListRedirectsQuery {
  /** Only the redirect at this address. */
  from?: string | undefined;
  /** @default 1 */
  page?: number | undefined;
  /**
   * At most 100; larger values are reduced to it.
   * @default 20
   */
  per_page?: number | undefined;
}

export interface RemoveRedirectAtQuery {
  /** A path on the blog, in percent-encoding or plain text. Without a dot in its last name, it is meant with and without a final slash. It has no query, and is no address of the blog’s own pages. */
  from: string;
}

export interface GetAnalyticsQuery {
  /**
   * The days that `daily_views` and `top_posts` cover.
   * @default "30d"
   */
  period?: "7d" | "30d" | "90d" | undefined;
}

export interface GetPostAnalyticsQuery {
  /**
   * The days that `daily_views` and `top_posts` cover.
   * @default "30d"
   */
  period?: "7d" | "30d" | "90d" | undefined;
}

export interface ExportAccountQuery {
  /** The value of `next` in an export that was truncated: the posts after those. */
  after?: string | undefined;
}

/** Input and answer of every operation. */
export interface Operations {
  /** Create a post, as a draft or published */
  createPost: {
    body: CreatePost;
    answer: CreatedPost & Warned;
  };
  /** List posts */
  listPosts: {
    query?: ListPostsQuery;
    answer: PostPage & Warned;
  };
  /** Get a post with its content */
  getPost: {
    path: {
      slug: string;
    };
    answer: Post & Warned;
  };
  /** Change the given fields of a post */
  updatePost: {
    path: {
      slug: string;
    };
    body?: UpdatePost;
    answer: ChangedPost & Warned;
  };
  /** Delete a post permanently */
  deletePost: {
    path: {
      slug: string;
    };
    answer: DeletedPost & Warned;
  };
  /** Publish a post */
  publishPost: {
    path: {
      slug: string;
    };
    body?: PublishPost;
    answer: PublishedPost & Warned;
  };
  /** Schedule a post for publication */
  schedulePost: {
    path: {
      slug: string;
    };
    body: SchedulePost;
    answer: ScheduledPost & Warned;
  };
  /** Turn a post back into a draft */
  unpublishPost: {
    path: {
      slug: string;
    };
    answer: UnpublishedPost & Warned;
  };
  /** Upload an image, as base64 in JSON or as the field "file" of a form */
  uploadImage: {
    body: UploadImage | FormData;
    answer: UploadedImage & Warned;
  };
  /** List uploaded images, newest first */
  listImages: {
    query?: ListImagesQuery;
    answer: ImagePage & Warned;
  };
  /** Delete an image permanently */
  deleteImage: {
    path: {
      id: string;
    };
    answer: DeletedImage & Warned;
  };
  /** Search the published posts of a blog */
  searchPosts: {
    query: SearchPostsQuery;
    answer: FoundPage & Warned;
  };
  /** Search the published posts of all blogs */
  discoverPosts: {
    query: DiscoverPostsQuery;
    answer: DiscoveredPage & Warned;
  };
  /** Create a blog */
  createBlog: {
    body: CreateBlog;
    answer: CreatedBlog & Warned;
  };
  /** List blogs */
  listBlogs: {
    answer: BlogList & Warned;
  };
  /** Get a blog with its theme settings */
  getBlog: {
    path: {
      id: string;
    };
    answer: Blog & Warned;
  };
  /** Change the given fields of a blog */
  updateBlog: {
    path: {
      id: string;
    };
    body?: UpdateBlog;
    answer: UpdatedBlog & Warned;
  };
  /** Delete a blog permanently, with its posts, keys, pages and images */
  deleteBlog: {
    path: {
      id: string;
    };
    answer: DeletedBlog & Warned;
  };
  /** Set one redirect, or up to 1,000 at once */
  setRedirects: {
    path: {
      id: string;
    };
    body: SetRedirects;
    answer: WrittenRedirects & Warned;
  };
  /** List the redirects of a blog, by address */
  listRedirects: {
    path: {
      id: string;
    };
    query?: ListRedirectsQuery;
    answer: RedirectPage & Warned;
  };
  /** Remove the redirect at an address */
  removeRedirectAt: {
    path: {
      id: string;
    };
    query: RemoveRedirectAtQuery;
    answer: RemovedRedirect & Warned;
  };
  /** Remove a redirect */
  removeRedirect: {
    path: {
      id: string;
      redirectId: string;
    };
    answer: RemovedRedirect & Warned;
  };
  /** Show a page of the blog in a layout, without storing the layout */
  previewLayout: {
    path: {
      id: string;
    };
    body: PreviewLayout;
    answer: PreviewedLayout & Warned;
  };
  /** Register a custom domain for a blog, replacing any other */
  registerDomain: {
    path: {
      id: string;
    };
    body: RegisterDomain;
    answer: RegisteredDomain & Warned;
  };
  /** Get the custom domain of a blog and whether its DNS points here */
  getDomain: {
    path: {
      id: string;
    };
    answer: Domain & Warned;
  };
  /** Remove the custom domain of a blog */
  removeDomain: {
    path: {
      id: string;
    };
    answer: RemovedDomain & Warned;
  };
  /** Get the daily views of a blog and its most read posts */
  getAnalytics: {
    query?: GetAnalyticsQuery;
    answer: AnalyticsOverview & Warned;
  };
  /** Get the daily views of a post */
  getPostAnalytics: {
    path: {
      slug: string;
    };
    query?: GetPostAnalyticsQuery;
    answer: PostViews & Warned;
  };
  /** Buy a pack of posts */
  purchasePack: {
    body: PurchasePack;
    answer: PurchasedPack & Warned;
  };
  /** Get the remaining posts of the packs, in the order of their use */
  getPackBalance: {
    answer: PackBalance & Warned;
  };
  /** Create an API key that is bound to the blog */
  createApiKey: {
    path: {
      id: string;
    };
    body?: CreateApiKey;
    answer: CreatedApiKey & Warned;
  };
  /** List the API keys that are bound to the blog */
  listApiKeys: {
    path: {
      id: string;
    };
    answer: ApiKeyList & Warned;
  };
  /** Revoke an API key of the blog */
  revokeApiKey: {
    path: {
      id: string;
      keyId: string;
    };
    answer: Revoked & Warned;
  };
  /** Create a token with chosen scopes, for one blog or all of them */
  createToken: {
    body: CreateToken;
    answer: CreatedToken & Warned;
  };
  /** List the tokens and API keys of the account */
  listTokens: {
    answer: TokenList & Warned;
  };
  /** Revoke a token or an API key of the account */
  revokeToken: {
    path: {
      id: string;
    };
    answer: Revoked & Warned;
  };
  /** Get the profile of the account */
  getProfile: {
    answer: Profile & Warned;
  };
  /** Export the blogs and posts of the account */
  exportAccount: {
    query?: ExportAccountQuery;
    answer: AccountExport & Warned;
  };
  /** Get the receipt of a rebuild */
  getRebuild: {
    path: {
      id: string;
    };
    answer: Receipt & Warned;
  };
  /** Delete the account permanently, with everything that belongs to it */
  deleteAccount: {
    answer: DeletedAccount & Warned;
  };
  /** List the revisions of a post, newest first */
  listRevisions: {
    path: {
      slug: string;
    };
    answer: RevisionList & Warned;
  };
  /** Get a revision of a post */
  getRevision: {
    path: {
      slug: string;
      id: string;
    };
    answer: Revision & Warned;
  };
  /** Restore a post to a revision */
  restoreRevision: {
    path: {
      slug: string;
      id: string;
    };
    answer: ChangedPost & Warned;
  };
  /** Create a preview link, under which the post can be read before it is published */
  createPreview: {
    path: {
      slug: string;
    };
    body?: CreatePreview;
    answer: CreatedPreview & Warned;
  };
  /** Render Markdown as in a post, without storing it */
  renderMarkdown: {
    body: RenderMarkdown;
    answer: RenderedMarkdown & Warned;
  };
  /** Create up to 100 posts, with a result for each */
  createPosts: {
    body: CreatePosts;
    answer: CreatedPosts & Warned;
  };
  /** Get this document */
  getOpenApiDocument: {
    answer: OpenApiDocument;
  };
}
