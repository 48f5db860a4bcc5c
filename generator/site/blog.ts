import type { Author } from './author.ts';

export interface SiteBlog {
  readonly id: string;
  /** The name of its folder on the edge. */
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  /** Absolute URL of its root, as browsers normalise it, with a trailing slash. */
  readonly url: string;
  readonly createdAt: string;
  readonly settings: BlogSettings;
  /** Whether pages name the service that builds them. */
  readonly badge: boolean;
  /** The owner's style sheet, which follows the theme's; empty if there is none. */
  readonly customCss: string;
  /** Owner HTML for every page except redirects, with every element closed; each part is empty if there is none. */
  readonly ownerHtml: {
    /** At the very top and the very bottom of the page. */
    readonly header: string;
    readonly footer: string;
    /** Below a post's text, and below a list's entries. */
    readonly ad: string;
  };
  /** The owner's layout, a Liquid template for the contents of `body`; empty if there is none. */
  readonly layout: string;
  /** False on the free tier: pages and robots.txt then ask search engines to stay away. */
  readonly indexable: boolean;
  /** Whether the blog has `llms.txt` and `llms-full.txt` for language models. */
  readonly llmsTxt: boolean;
}

/** The theme settings that an owner may change. */
export interface BlogSettings {
  /** `#rrggbb`; null for the theme's default. */
  readonly accentColor: string | null;
  /** BCP 47 code: the language of the blog, and of posts whose script does not identify one. */
  readonly language: string;
  /** The author of posts that name none. */
  readonly author: Author | null;
  /** The author's other profiles (`rel="me"`). */
  readonly socialLinks: readonly Link[];
  /** Links that every page shows. */
  readonly navigation: readonly Link[];
  /** A page at the blog's root; null if the list of posts is there. */
  readonly frontPage: FrontPage | null;
  readonly icon: BlogIcon | null;
}

/** The uploaded image that stands for a blog. */
export interface BlogIcon {
  /** Absolute URL. */
  readonly url: string;
  /** Whether the files that pages name are made from it (generator/icon-files.ts). */
  readonly isMade: boolean;
  /** Absolute URL of the icon before it, which pages have until its own files are made; null: the default icon. */
  readonly former: string | null;
}

/** Absolute URL of the image whose icon files pages name; null if they have the default icon. */
export const shownIcon = ({ icon }: BlogSettings): string | null =>
  icon && (icon.isMade ? icon.url : icon.former);

/** What is at the blog's root instead of the list of posts, and where that list is then. */
export interface FrontPage {
  /** Slug of a page. While it is not published, the root redirects to the list. */
  readonly page: string;
  /** Slug of the list's address. */
  readonly list: string;
}

/** The URL is absolute (http, https, mailto), or begins with a slash and is then on the blog. */
export interface Link {
  readonly label: string;
  readonly url: string;
}
