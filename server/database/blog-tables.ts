import type { Generated } from 'kysely';

export interface BlogsTable {
  id: string;
  account_id: string;
  slug: string;
  /** Its folder on the edge: its slug, or a former one until its files have moved. */
  folder: string;
  name: string;
  description: string;
  /** Host name that the owner registered; `domains` says whether its DNS points here. */
  custom_domain: string | null;
  /** JSON object: `ThemeConfig`. */
  theme_config: Generated<string>;
  /**
   * JSON object: `OwnerHtml`, derived from `theme_config` by that version of `wholeHtml`; version 0: not derived yet.
   */
  owner_html: Generated<string>;
  owner_html_version: Generated<number>;
  settings: Generated<string>;
  /** Bytes of its images, without their variants. */
  media_bytes: Generated<number>;
  /** Fingerprint of everything but the blog's own rows that its pages were last built with. */
  built_with: string | null;
  /** When and why an operator took it down; the reason is for the owner to read. */
  taken_down_at: Generated<string | null>;
  taken_down_reason: Generated<string | null>;
  created_at: string;
  updated_at: string;
}

/** Redirects that the owner of a blog has set. */
export interface OwnerRedirectsTable {
  id: string;
  blog_id: string;
  /** The file of the redirect in the blog's folder, as `fileOf` gives it. */
  path: string;
  /** An absolute URL, or an address on the blog, percent-encoded. */
  target: string;
  created_at: string;
  updated_at: string;
}

/** DNS state of a blog's custom domain, for each blog that has one. */
export interface DomainsTable {
  blog_id: string;
  status: string;
  registered_at: string;
  /** Since when the DNS has pointed elsewhere. */
  missed_since: string | null;
  /** Earliest time of the next check. */
  due_at: string;
}

/** Custom domains that point to a blog, or have pointed to it. */
export interface KnownHostsTable {
  hostname: string;
  blog_id: string;
}

/** Held slugs: slugs of deleted blogs, which until a certain time only the former account may use again. */
export interface HeldSlugsTable {
  slug: string;
  /** Null if the account is deleted, too. */
  account_id: string | null;
  expires_at: string;
}
