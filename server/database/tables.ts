import type { Generated } from 'kysely';
import type {
  ImagesTable,
  ImageVariantsTable,
  OrphanedMediaTable,
  PostImagesTable,
  PostsAwaitingVariantsTable,
} from './image-tables.ts';
import type { PlacementsTable, PostContentsTable, PostsTable, RedirectsTable } from './post-tables.ts';
import type { SearchChangesTable, SearchIndexesTable, SearchRowsTable } from './search-tables.ts';

/**
 * The tables as Kysely sees them. Moments are ISO 8601 strings in UTC with milliseconds, which sort as they stand;
 * lists and objects are JSON text; flags do not occur. The same types hold for every SQL dialect.
 */
export interface Tables {
  accounts: AccountsTable;
  blogs: BlogsTable;
  credentials: CredentialsTable;
  posts: PostsTable;
  post_contents: PostContentsTable;
  placements: PlacementsTable;
  redirects: RedirectsTable;
  images: ImagesTable;
  image_variants: ImageVariantsTable;
  posts_awaiting_variants: PostsAwaitingVariantsTable;
  post_images: PostImagesTable;
  orphaned_media: OrphanedMediaTable;
  monthly_posts: MonthlyPostsTable;
  changes: ChangesTable;
  /** `edge` is the name of that to which the server publishes that was started last. */
  installation: { id: string; edge: string | null };
  leases: LeasesTable;
  lost_leases: LostLeasesTable;
  /** Blogs at whose rebuilds builders died, since an attempt last ended. */
  suspect_blogs: { blog_id: string; builder_deaths: number; last_death_at: string };
  /** Files that are uncertain from the next rebuild of their blog on. */
  uncertain_files: { blog_id: string; path: string; page: string };
  rebuilds: RebuildsTable;
  manifest: ManifestTable;
  pending_cards: PendingCardsTable;
  removals: RemovalsTable;
  held_slugs: HeldSlugsTable;
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

/** What somebody did: never changed, and deleted when it is old. */
interface AuditLogTable {
  id: string;
  at: string;
  /** `key`, `session` or `operator`. */
  actor: string;
  /** Id of the key, or name of the operator; null for a session, which is its account. */
  actor_id: string | null;
  /** Operation of the API or command. */
  action: string;
  /** The account whose data was changed. */
  account_id: string | null;
  blog_id: string | null;
  subject_id: string | null;
  subject: string | null;
}

/** Deleted blogs whose files are still on the edge. */
interface RemovalsTable {
  blog_id: string;
  slug: string;
}

/** Slugs of deleted blogs that only the account that had them may use again before a moment. */
interface HeldSlugsTable {
  slug: string;
  /** Null where the account is deleted, too. */
  account_id: string | null;
  expires_at: string;
}

interface AccountsTable {
  id: string;
  email: string;
  name: string;
  tier: string;
  /** Who the account is to the issuer of session tokens (their `sub`); null where it has no sessions. */
  external_id: string | null;
  /** Since when the operator lets its credentials do nothing. */
  suspended_at: string | null;
  created_at: string;
}

interface BlogsTable {
  id: string;
  account_id: string;
  slug: string;
  name: string;
  description: string;
  /** Host name that the owner has registered; `domains` says whether its DNS leads here. */
  custom_domain: string | null;
  /** JSON object: `ThemeConfig`. */
  theme_config: Generated<string>;
  /** JSON object: `OwnerHtml`, made of `theme_config` by that version of `wholeHtml`; 0 if it is still to be made. */
  owner_html: Generated<string>;
  owner_html_version: Generated<number>;
  settings: Generated<string>;
  /** Bytes of its images, variants not counted. */
  media_bytes: Generated<number>;
  /** Fingerprint of everything beside the blog's own rows that its pages were last pressed with. */
  built_with: string | null;
  /** Since when an operator has taken it off the edge, and why, in words for its owner. */
  taken_down_at: Generated<string | null>;
  taken_down_reason: Generated<string | null>;
  created_at: string;
  updated_at: string;
}

interface CredentialsTable {
  id: string;
  account_id: string;
  /** The one blog that the credential is bound to; null where it covers all of the account's. */
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

/** Posts created in a calendar month (`2026-11`); what is deleted is not given back. */
interface MonthlyPostsTable {
  account_id: string;
  month: string;
  posts: number;
}

interface ChangesTable {
  id: Generated<number>;
  blog_id: string;
  rebuild_id: string;
  /** `post`, `blog` or `search`. */
  scope: string;
  /** The post that was written. */
  post_id: string | null;
  /** JSON of the post's `Placement` before the write; null where it was not published. */
  before: string | null;
}

interface RebuildsTable {
  id: string;
  blog_id: string;
  status: string;
  /** What is lower goes first: `REMOVAL` and others in rebuilds.ts. */
  priority: Generated<number>;
  /** Since when readers are not to see something any more; null if it takes nothing from them. */
  removes_since: string | null;
  /** Posts that it is about, as far as it matters. */
  weight: Generated<number>;
  is_large: Generated<number>;
  attempts: number;
  /** Not to be claimed before this moment. */
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

/** Work that a builder is at. */
interface LeasesTable {
  work_id: string;
  blog_id: string;
  holder: string;
  /** Milliseconds since 1970, by the database's clock. */
  expires_at: number;
}

/** Work that was taken from a builder that may still be at it. */
interface LostLeasesTable {
  id: Generated<number>;
  holder: string;
  work_id: string;
  blog_id: string;
  /** JSON of the manifest's rows that were uncertain then. */
  entries: string;
  /** 1 when it is not at it any more. */
  holder_stopped: Generated<number>;
}

interface ManifestTable {
  blog_id: string;
  path: string;
  /** The page that the file shows (`Page.key`). */
  page: string;
  /** SHA-256 of the bytes; empty from the moment a write is intended until it is known to have happened. */
  hash: string;
}

/** Cards that pages already name and that are still to be drawn. */
interface PendingCardsTable {
  blog_id: string;
  post_id: string;
  attempts: number;
  due_at: string;
}

/** What is known of the DNS of a blog's custom domain, for each blog that has one. */
interface DomainsTable {
  blog_id: string;
  status: string;
  registered_at: string;
  /** Since when the DNS has been seen to lead elsewhere. */
  missed_since: string | null;
  /** Not to be checked before this moment. */
  due_at: string;
}

/** Prepaid posts. */
interface PacksTable {
  id: string;
  account_id: string;
  /** Posts that are left. */
  balance: number;
  purchased_at: string;
}

/** Views by day (`2026-11-20`, UTC): a post's, and, where the post is the empty string, those of all pages. */
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
  source: string;
  written_at: string;
}

/** Links under which a post can be read before it is published. */
interface PreviewsTable {
  hash: string;
  post_id: string;
  expires_at: string;
}

/** What requests under idempotency keys did. */
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

/** Custom domains that lead to a blog, or have led to it. */
interface KnownHostsTable {
  hostname: string;
  blog_id: string;
}
