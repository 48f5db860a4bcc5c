import { edgeOf } from '../generator/edge/edge-kinds.ts';
import { createLayoutPool } from '../generator/layouts/pool.ts';
import { createMarkdownPool } from '../generator/markdown/pool.ts';
import { createOwnerHtmlPool } from '../generator/owner-html/pool.ts';
import { createPreviewPool } from '../generator/previews/pool.ts';
import { memoised } from '../generator/workers/memoised.ts';
import { type Accounts, accountIdOf, createAccounts } from './accounts/accounts.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { type Analytics, createAnalytics } from './analytics/analytics.ts';
import { type Blogs, createBlogs } from './blogs/blogs.ts';
import { blogIdOf } from './blogs/open-blog.ts';
import { createLayouts } from './blogs/theme/layouts.ts';
import { createOwnerHtmls, type OwnerHtmls } from './blogs/theme/owner-html.ts';
import { type BlogUrl, blogUrlOf, type Config, cnameTarget, serviceHosts } from './config/config.ts';
import { createRenderContent, type RenderContent } from './content/render-content.ts';
import { createRenderPost } from './content/render-post.ts';
import { type Credentials, createCredentials } from './credentials/credentials.ts';
import { createLastUsed, type LastUsed } from './credentials/last-used.ts';
import { createTokens, type Tokens } from './credentials/tokens.ts';
import type { Db } from './database/database.ts';
import { openDatabase } from './database/dialect.ts';
import { createDomainChecks, type DomainChecks } from './domains/domain-checks.ts';
import { createDomainDns } from './domains/domain-dns.ts';
import { createTenantDns, removeUnusedTenants } from './domains/domain-tenants.ts';
import { createDomains, type Domains } from './domains/domains.ts';
import { claimRootHostForOwner } from './domains/root-host.ts';
import { createExports, type Exports } from './exports/exports.ts';
import { createIconMaker } from './image-processing/icons/icon-maker.ts';
import { createImageCleaner } from './image-processing/image-cleaner.ts';
import { createVariantMaker } from './image-processing/variant-maker.ts';
import { createReadiness, type Readiness } from './installation/readiness.ts';
import { findInstallation, setPublishedEdge } from './installation/store.ts';
import { upgradeDatabase } from './installation/upgrade.ts';
import { type AuditLog, createAuditLog } from './journal/audit-log.ts';
import { createIdempotency, type Idempotency } from './journal/idempotency.ts';
import { blogPictures } from './media/blog-pictures/blog-pictures.ts';
import { createImageLibrary, type ImageLibrary } from './media/image-library.ts';
import { createImageVariants, type ImageVariants } from './media/image-variants.ts';
import { createImages, type Images } from './media/images.ts';
import { type Billing, noBilling } from './packs/billing.ts';
import { createPacks, type Packs } from './packs/packs.ts';
import { createPosts, type Posts } from './posts/posts.ts';
import { createPublication, type Publication } from './posts/publication.ts';
import { createLayoutPreviews, type LayoutPreviews } from './previews/layout-previews.ts';
import { createPreviews, type Previews } from './previews/previews.ts';
import { createRebuilds, type Rebuilds } from './rebuilds/rebuilds.ts';
import { createWriter, type Writer } from './rebuilds/write.ts';
import { createRedirects, type Redirects } from './redirects/redirects.ts';
import { createModeration, type Moderation } from './removal/moderation.ts';
import { createRemoval, type Removal } from './removal/removal.ts';
import { createRenderings, type Renderings } from './rerendering/rerendering.ts';
import { createRevisions, type Revisions } from './revisions/revisions.ts';
import { type Clock, systemClock } from './runtime/clock.ts';
import { closeAll } from './runtime/close-all.ts';
import { ensureDataDir, ensurePrivateDatabase, isAccessibleToOthers } from './runtime/data-dir.ts';
import { createLog, type Log } from './runtime/log.ts';
import { createSearch, type Search } from './search/search.ts';
import { findView } from './site/find-view.ts';

/** All services, wired once. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly db: Db;
  readonly write: Writer;
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly exports: Exports;
  readonly credentials: Credentials;
  /** Null if no identity provider is configured. */
  readonly sessions: Sessions | null;
  readonly tokens: Tokens;
  readonly lastUsed: LastUsed;
  readonly blogs: Blogs;
  readonly layoutPreviews: LayoutPreviews;
  readonly ownerHtmls: OwnerHtmls;
  readonly domains: Domains;
  readonly moderation: Moderation;
  readonly images: Images;
  readonly imageLibrary: ImageLibrary;
  readonly imageVariants: ImageVariants;
  readonly domainChecks: DomainChecks;
  /** Removes the CloudFront tenants of former custom domains. Does nothing on an edge without tenants. */
  removeUnusedTenants(): Promise<void>;
  readonly analytics: Analytics;
  readonly billing: Billing;
  readonly packs: Packs;
  readonly posts: Posts;
  readonly publication: Publication;
  readonly readiness: Readiness;
  readonly rebuilds: Rebuilds;
  readonly redirects: Redirects;
  readonly removal: Removal;
  readonly idempotency: Idempotency;
  readonly revisions: Revisions;
  readonly search: Search;
  readonly previews: Previews;
  readonly renderContent: RenderContent;
  readonly renderings: Renderings;
  /** Page on which an account's owner changes its tier. */
  readonly upgradeUrl: string;
  /** Absolute URL of a blog's root. */
  readonly blogUrl: BlogUrl;
  /** Sets the listener for writes that queue a rebuild. Without one, rebuilds just stay in the queue. */
  readonly onChange: (listener: () => void) => void;
  /** Checks that the edge is usable and belongs to this installation. Rejects with an error for the operator. */
  prepareEdge(): Promise<void>;
  close(): Promise<void>;
}

export interface ServicesOptions {
  readonly clock?: Clock;
  readonly log?: Log;
  /** Whether the caller holds the lock of the data folder (default: true). Upgrading the database needs the lock. */
  readonly isLocked?: boolean;
}

/** Opens and migrates the database, and builds the services on it. */
export async function createServices(config: Config, options: ServicesOptions = {}): Promise<Services> {
  const { clock = systemClock, log = createLog(config.logLevel) } = options;
  for (const warning of config.warnings) log.warn(warning);
  ensureDataDir(config.dataDir);
  if (isAccessibleToOthers(config.dataDir)) {
    log.warn(
      `PLATEN_DATA_DIR: other users can read or write in ${config.dataDir}: run chmod 700 on it as its owner`,
    );
  }
  ensurePrivateDatabase(config.databaseFile);
  const db = openDatabase({
    file: config.databaseFile,
    transactions: 'immediate',
    durable: true,
    checkpoints: 'elsewhere',
  });
  const edge = edgeOf(config.edge);
  const prepare = async () => {
    await upgradeDatabase({ db, config, log, isLocked: options.isLocked ?? true });
    return edge.openTenants();
  };
  const tenants = await prepare().catch(async (error: unknown) => {
    await db.destroy();
    throw error;
  });

  const layoutPool = createLayoutPool();
  const ownerHtmlPool = createOwnerHtmlPool();
  const previewPool = createPreviewPool();
  const markdown = createMarkdownPool({ threads: config.markdownThreads });
  const blogUrl = blogUrlOf(config);
  let notifyBuilder = () => {};
  const shared = {
    db,
    clock,
    tiers: config.tiers,
    upgradeUrl: `${config.publicUrl}/dashboard/billing`,
    write: createWriter({ db, clock, onChange: () => notifyBuilder() }),
  };
  const billing = noBilling;
  const domainDependencies = {
    ...shared,
    serviceHosts: serviceHosts(config),
    cnameTarget: (slug: string) => cnameTarget(config, slug),
    subdomainOf: blogUrl.subdomainOf,
    dns: createDomainDns({ servers: config.dnsServers }),
  };
  const openMediaEdge = memoised(() => edge.open({ unfinishedFolder: '.unfinished-media', durable: true }));
  const imageVariants = createImageVariants({
    ...shared,
    log,
    openEdge: openMediaEdge,
    maker: createVariantMaker(),
    iconMaker: createIconMaker(),
  });
  const images = createImages({
    ...shared,
    openEdge: openMediaEdge,
    cleaner: createImageCleaner({ processes: config.imageProcesses }),
    onStored() {
      imageVariants
        .make()
        .catch((error: unknown) => log.warn({ err: error }, 'could not make image variants yet'));
    },
  });
  const layouts = createLayouts({ pool: layoutPool });
  const ownerHtmls = createOwnerHtmls({ ...shared, log, pool: ownerHtmlPool });
  const renderPost = createRenderPost({ db, markdown });
  const renderContent = createRenderContent(renderPost);
  const renderings = createRenderings({ ...shared, log, renderPost });
  const posts = createPosts({ ...shared, renderContent });
  const lastUsed = createLastUsed(shared);
  const credentials = createCredentials({ ...shared, lastUsed });
  return {
    config,
    clock,
    log,
    db,
    write: shared.write,
    accounts: createAccounts({ ...shared, credentials }),
    auditLog: createAuditLog({
      ...shared,
      accountIdOf: (name) => accountIdOf(db, name),
      blogIdOf: (name) => blogIdOf(db, name),
    }),
    exports: createExports(shared),
    credentials,
    sessions: config.session && createSessions(shared, config.session),
    tokens: createTokens({ ...shared, credentials, lastUsed }),
    lastUsed,
    blogs: createBlogs({
      ...shared,
      rootBlog: config.rootBlog,
      claimRootHost: claimRootHostForOwner(config),
      assertLayoutUsable: layouts.assertValid,
      balanceOwnerHtml: ownerHtmls.balance,
      pictures: blogPictures,
    }),
    layoutPreviews: createLayoutPreviews({
      ...shared,
      publicUrl: config.publicUrl,
      layoutPool,
      previewPool,
      findView: (blogId, shown) => findView({ ...shared, blogUrl, mediaUrl: config.mediaUrl }, blogId, shown),
    }),
    ownerHtmls,
    domains: createDomains(domainDependencies),
    moderation: createModeration(shared),
    images,
    imageLibrary: createImageLibrary({ ...shared, log, images }),
    imageVariants,
    domainChecks: createDomainChecks({
      ...domainDependencies,
      ...(tenants && { dns: createTenantDns({ ...domainDependencies, log, tenants }) }),
    }),
    analytics: createAnalytics(shared),
    billing,
    packs: createPacks({ ...shared, billing }),
    posts,
    publication: createPublication(shared),
    readiness: createReadiness(shared),
    rebuilds: createRebuilds({ db }),
    idempotency: createIdempotency(shared),
    redirects: createRedirects({ ...shared, blogUrl }),
    removal: createRemoval({ ...shared, log, images, billing }),
    revisions: createRevisions({ db, posts }),
    search: createSearch(shared),
    previews: createPreviews({
      ...shared,
      publicUrl: config.publicUrl,
      mediaUrl: config.mediaUrl,
      blogUrl,
      pool: previewPool,
    }),
    renderContent,
    renderings,
    upgradeUrl: shared.upgradeUrl,
    blogUrl,
    onChange(listener) {
      notifyBuilder = listener;
    },
    async removeUnusedTenants() {
      if (tenants) await removeUnusedTenants({ db, log, tenants });
    },
    async prepareEdge() {
      for (const warning of await edge.prepare(await findInstallation(db))) log.warn(warning);
      await setPublishedEdge(db, edge.name);
      if (edge.localFolder === null && config.mediaUrl === `${config.publicUrl}/media`) {
        log.warn(
          `PLATEN_MEDIA_URL is ${config.mediaUrl}, but images are in the bucket and not on this server: set it to ` +
            'the public URL of media/ in the bucket, or redirect requests there in a proxy before this server',
        );
      }
    },
    close: () =>
      closeAll([
        imageVariants.stop,
        renderings.stop,
        ownerHtmls.stop,
        markdown.close,
        layoutPool.close,
        ownerHtmlPool.close,
        previewPool.close,
        () =>
          lastUsed
            .flush()
            .catch((error: unknown) =>
              log.warn({ err: error }, 'could not write the last-used times of keys'),
            ),
        () => db.destroy(),
      ]),
  };
}
