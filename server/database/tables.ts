import type { Generated } from 'kysely';
import type {
  BlogImagesTable,
  ImagesTable,
  ImageVariantsTable,
  OrphanedMediaTable,
  PostImagesTable,
  PostsAwaitingVariantsTable,
} from './image-tables.ts';
import type { PlacementsTable, PostContentsTable, PostsTable, RedirectsTable } from './post-tables.ts';
import type { SearchChangesTable, SearchIndexesTable, SearchRowsTable } from './search-tables.ts';

/**
 * The tables as Kysely sees them. Timestamps are ISO 8601 strings in UTC with milliseconds, which sort as text; lists
 * and objects are JSON text; flags are 0 or 1. The same types hold for every SQL dialect.
 */
export interface Tables {
  accounts: AccountsTable;
  blogs: BlogsTable;
  credentials: CredentialsTable;
  posts: PostsTable;
  post_contents: PostContentsTable;
  placements: PlacementsTable;
  /** Published posts of each tag and each month. Database triggers write it. */
  list_sizes: { blog_id: string; kind: 'tag' | 'month'; list: string; posts: number };
  /** Posts to which posts lead on; the best has rank 0. */
  related_posts: { post_id: string; related_id: string; rank: number };
  redirects: RedirectsTable;
  owner_redirects: OwnerRedirectsTable;
  images: ImagesTable;
  image_variants: ImageVariantsTable;
  posts_awaiting_variants: PostsAwaitingVariantsTable;
  post_images: PostImagesTable;
  blog_images: BlogImagesTable;
  orphaned_media: OrphanedMediaTable;
  monthly_posts: MonthlyPostsTable;
  changes: ChangesTable;
  /** `edge` names the edge that the most recently started server publishes to. */
  installation: { id: string; edge: string | null };
  leases: LeasesTable;
  lost_leases: LostLeasesTable;
  /** Suspects: blogs at whose rebuilds builders died since an attempt last ended. */
  suspect_blogs: { blog_id: string; builder_deaths: number; last_death_at: string };
  /** Files to mark uncertain at the next rebuild of their blog. */
  uncertain_files: { blog_id: string; path: string; page: string };
  rebuilds: RebuildsTable;
  manifest: ManifestTable;
  pending_cards: PendingCardsTable;
  removals: RemovalsTable;
  held_slugs: HeldSlugsTable;
  /** Former slugs of blogs, which redirect to their blogs. */
  former_slugs: { slug: string; blog_id: string };
  search_rows: SearchRowsTable;
  revisions: RevisionsTable;
  previews: PreviewsTable;
  idempotency_records: IdempotencyRecordsTable;
  domains: DomainsTable;
  packs: PacksTable;
  views: ViewsTable;
  search_indexes: SearchIndexesTable;
  search_changes: SearchChangesTable;
  known_hosts: KnownHostsTable;
  audit_log: AuditLogTable;
}

/** The audit log: rows never change, and are deleted when old. */
interface AuditLogTable {
  id: string;
  at: string;
  /** `key`, `session` or `operator`. */
  actor: string;
  /** Id of the key, or name of the operator; null for a session, because the account identifies it. */
  actor_id: string | null;
  /** API operation, or command. */
  action: string;
  /** The account that owns the changed data. */
  account_id: string | null;
  blog_id: string | null;
  subject_id: string | null;
  subject: string | null;
}

/** Deleted blogs whose files are still on the edge, and folders that a blog has left, as if they were deleted blogs. */
interface RemovalsTable {
  blog_id: string;
  /** Its folder on the edge. */
  slug: string;
  /**
   * The blog whose hosts still lead to the folder: its files are moving to another, and until they are complete, nothing
   * is removed. Null for a deleted blog.
   */
  successor_id: Generated<string | null>;
}

/** Held slugs: slugs of deleted blogs, which until a certain time only the former account may use again. */
interface HeldSlugsTable {
  slug: string;
  /** Null if the account is deleted, too. */
  account_id: string | null;
  expires_at: string;
}

interface AccountsTable {
  id: string;
  email: string;
  name: string;
  tier: string;
  /** The account's `sub` in session tokens; null if it has no sessions. */
  external_id: string | null;
  /** When the operator suspended it. The credentials of a suspended account do nothing. */
  suspended_at: string | null;
  created_at: string;
}

interface BlogsTable {
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

interface CredentialsTable {
  id: string;
  account_id: string;
  /** The blog that the credential is bound to; null if it covers all of the account's blogs. */
  blog_id: string | null;
  name: string;
  prefix: string;
  hash: string;
  scopes: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  created_at: string;
}

/** Posts created in a calendar month (`2026-11`). Deletions do not lower the count. */
interface MonthlyPostsTable {
  account_id: string;
  month: string;
  posts: number;
}

interface ChangesTable {
  id: Generated<number>;
  blog_id: string;
  rebuild_id: string;
  /** `post`, `blog`, `search` or `redirect`. */
  scope: string;
  /** The post that was written. */
  post_id: string | null;
  /** JSON of the post's `Placement` before the write; null if it was not published. */
  before: string | null;
  /** The path of the owner's redirect that was written. */
  path: Generated<string | null>;
}

interface RebuildsTable {
  id: string;
  blog_id: string;
  status: string;
  /** Lower goes first: the priorities are in rebuilds.ts. */
  priority: Generated<number>;
  /** Since when something must be hidden from readers; null if the rebuild hides nothing. */
  removes_since: string | null;
  /** Number of posts that it covers. Counting stops above the limits in rebuilds.ts. */
  weight: Generated<number>;
  is_large: Generated<number>;
  attempts: number;
  /** Earliest time to claim it. */
  due_at: string;
  queued_at: string;
  started_at: string | null;
  live_at: string | null;
  files_written: Generated<number>;
  files_removed: Generated<number>;
  invalidated: Generated<number>;
  /** JSON object: milliseconds by step. */
  steps: Generated<string>;
  error: string | null;
}

/** Work that builders hold. */
interface LeasesTable {
  work_id: string;
  blog_id: string;
  holder: string;
  /** Milliseconds since 1970, by the database's clock. */
  expires_at: number;
}

/** Leases that were taken from builders that may still be working. */
interface LostLeasesTable {
  id: Generated<number>;
  holder: string;
  work_id: string;
  blog_id: string;
  /** JSON of the manifest rows that were uncertain at that time. */
  entries: string;
  /** 1 if the builder no longer works on it. */
  holder_stopped: Generated<number>;
}

interface ManifestTable {
  blog_id: string;
  path: string;
  /** Key of the page that the file shows (`Page.key`). */
  page: string;
  /** SHA-256 of the bytes; empty (uncertain) from the intent to write until the write is confirmed. */
  hash: string;
}

/** Preview cards that pages already name but that are not drawn yet. */
interface PendingCardsTable {
  blog_id: string;
  post_id: string;
  attempts: number;
  due_at: string;
}

/** DNS state of a blog's custom domain, for each blog that has one. */
interface DomainsTable {
  blog_id: string;
  status: string;
  registered_at: string;
  /** Since when the DNS has pointed elsewhere. */
  missed_since: string | null;
  /** Earliest time of the next check. */
  due_at: string;
}

/** Prepaid posts. */
interface PacksTable {
  id: string;
  account_id: string;
  /** Posts left. */
  balance: number;
  purchased_at: string;
}

/** Redirects that the owner of a blog has set. */
interface OwnerRedirectsTable {
  id: string;
  blog_id: string;
  /** The file of the redirect in the blog's folder, as `fileOf` gives it. */
  path: string;
  /** An absolute URL, or an address on the blog, percent-encoded. */
  target: string;
  created_at: string;
  updated_at: string;
}

/** Views by post and day (`2026-11-20`, UTC). The empty post id stands for all pages of the blog. */
interface ViewsTable {
  blog_id: string;
  post_id: string;
  day: string;
  views: number;
  visitors: number;
}

/** An earlier state of a post. */
interface RevisionsTable {
  id: string;
  post_id: string;
  title: string;
  tags: string;
  meta_description: string | null;
  og_image: string | null;
  translations: Generated<string>;
  canonical_url: Generated<string | null>;
  language: Generated<string | null>;
  author: Generated<string | null>;
  cover_image: Generated<string | null>;
  source: string;
  written_at: string;
}

/** Preview links of posts. */
interface PreviewsTable {
  hash: string;
  post_id: string;
  expires_at: string;
}

/** What requests with idempotency keys did. */
interface IdempotencyRecordsTable {
  account_id: string;
  /** The credential's id, or `session`. */
  credential: string;
  key: string;
  part: number;
  fingerprint: string;
  /** JSON. */
  result: string;
  recorded_at: string;
}

/** Custom domains that point to a blog, or have pointed to it. */
interface KnownHostsTable {
  hostname: string;
  blog_id: string;
}
