import type {
  AccountsTable,
  AuditLogTable,
  CredentialsTable,
  IdempotencyRecordsTable,
  MonthlyPostsTable,
  PacksTable,
} from './account-tables.ts';
import type {
  BlogsTable,
  DomainsTable,
  HeldSlugsTable,
  KnownHostsTable,
  OwnerRedirectsTable,
} from './blog-tables.ts';
import type {
  BlogImagesTable,
  ImagesTable,
  ImageVariantsTable,
  OrphanedMediaTable,
  PostImagesTable,
  PostsAwaitingVariantsTable,
} from './image-tables.ts';
import type {
  PlacementsTable,
  PostContentsTable,
  PostsTable,
  PreviewsTable,
  RedirectsTable,
  RevisionsTable,
  ViewsTable,
} from './post-tables.ts';
import type {
  ChangesTable,
  LeasesTable,
  LostLeasesTable,
  ManifestTable,
  PendingCardsTable,
  RebuildsTable,
  RemovalsTable,
} from './rebuild-tables.ts';
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
  /**
   * Of the most recently started server: the name of the edge that it publishes to, and its settings that pages show
   * (JSON).
   */
  installation: { id: string; edge: string | null; server_settings: string | null };
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
