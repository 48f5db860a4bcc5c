import { type ReadableEdge, readIfExists } from '../../generator/edge/edge.ts';
import { MEDIA_FOLDER, sitePath } from '../../generator/edge-paths.ts';
import { SEARCH_INDEX_FOLDER } from '../../generator/search/search-index.ts';
import { indexFileKey, isIndexFile } from '../build/stored-manifest.ts';
import { markUncertainLater } from '../build/uncertain-files.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { remakeVariants } from '../media/image-variants-store.ts';
import { findMedia, isKnownMedia } from '../media/media-files.ts';
import { orphanMedia } from '../media/store.ts';
import { findEntries, findHostEntries } from '../rebuilds/manifest.ts';
import { enqueueChange, enqueueRepair } from '../rebuilds/store.ts';
import type { Clock } from '../runtime/clock.ts';
import { requeueSearchIndex } from '../search-index/store.ts';
import type { Drift, OnDrift } from './drift.ts';
import { scanHosts, scanMedia, scanSites } from './scan-files.ts';
import { repairKey } from './scan-keys.ts';
import {
  adoptUnknownFile,
  findEdgeBlog,
  findFailedBlogs,
  isRepairQueued,
  markEntryUncertain,
} from './store.ts';
import { type Verification, type VerifyOptions, type VerifyTools, verify } from './verify.ts';

export interface RepairTools extends VerifyTools {
  readonly clock: Clock;
  /** Another edge that may have images which this one has lost; null if there is none. */
  readonly mediaFrom: ReadableEdge | null;
}

type RepairContext = Pick<RepairTools, 'db' | 'edge' | 'clock' | 'mirror' | 'mediaFrom'>;

export interface RepairOutcome {
  /** Blogs that a builder must now rebuild. */
  readonly blogs: ReadonlySet<string>;
  /** Edge paths of the images that could not be recovered. */
  readonly lost: readonly string[];
}

export interface RepairResult extends RepairOutcome {
  readonly verification: Verification;
}

/**
 * Finds what is out of step and repairs it; failed rebuilds are retried at once. Faulty files of a blog are marked in
 * its manifest, as after the death of a builder, and a rebuild is queued, so that the builder writes and removes files
 * under its lease. Each mark is a transaction of its own, so an interrupted repair keeps what it has done.
 */
export async function repair(tools: RepairTools, options: VerifyOptions): Promise<RepairResult> {
  const { blogs, lost, onDrift } = createRepairer(tools);
  const verification = await verify(tools, options, onDrift);
  const only =
    options.blog === null ? null : ((await findEdgeBlog(tools.db, { slug: options.blog }))?.id ?? null);
  for (const blogId of await findFailedBlogs(tools.db, only)) {
    await inTransaction(tools.db, (tx) => queueRepair(tx, blogId, tools.clock.now()));
    blogs.add(blogId);
  }
  return { verification, blogs, lost };
}

/**
 * Repairs files alone, for example after a power failure. Assumes that the manifest is up to date with the database.
 */
export async function repairFiles(
  tools: Pick<RepairTools, 'db' | 'edge' | 'clock'>,
): Promise<RepairOutcome & { readonly files: number }> {
  const { blogs, lost, onDrift } = createRepairer({ ...tools, mirror: null, mediaFrom: null });
  let files = 0;
  const onFile = () => {
    files += 1;
  };
  const scan = { ...tools, blog: null, quick: false, onDrift, onFile };
  await scanSites(scan);
  await scanHosts(scan);
  await scanMedia(scan);
  return { files, blogs, lost };
}

function createRepairer(tools: RepairContext) {
  const blogs = new Set<string>();
  /** Blogs for which a full build is already queued. */
  const fullyRebuilt = new Set<string>();
  const lost: string[] = [];
  const onDrift: OnDrift = async (drift) => {
    if (drift.kind === 'lost') {
      if (!(await repairImage(tools, drift))) lost.push(drift.path);
    } else if (drift.kind !== 'outdated' || !fullyRebuilt.has(drift.blog.id)) {
      if (drift.kind === 'outdated') fullyRebuilt.add(drift.blog.id);
      for (const blogId of await repairDrift(tools, drift)) blogs.add(blogId);
    }
  };
  return { blogs, lost, onDrift };
}

type LostImage = Drift & { readonly kind: 'lost' };

/** Repairs one difference, or queues that. Returns the blogs that a builder must rebuild. */
async function repairDrift(
  tools: RepairContext,
  drift: Exclude<Drift, LostImage>,
): Promise<readonly string[]> {
  const { db, clock } = tools;
  switch (drift.kind) {
    case 'missing':
    case 'different':
    case 'uncertain':
      return inTransaction(db, async (tx) => {
        const { blog, entry } = drift;
        const isMarked = drift.kind === 'uncertain' || (await markEntryUncertain(tx, blog.id, entry));
        if (isMarked) await queueRepair(tx, blog.id, clock.now());
        if (isMarked && isIndexFile(entry.page)) await requeueSearchIndex(tx, blog.id);
        return [blog.id];
      });
    case 'outdated':
      await inTransaction(db, (tx) => enqueueChange(tx, drift.blog.id, { scope: 'blog' }, clock.now()));
      return [drift.blog.id];
    case 'orphaned':
      return repairOrphan(tools, drift);
    case 'unmirrored':
      if (tools.mirror) await repairKey({ ...tools, mirror: tools.mirror }, drift);
      return [];
  }
}

/** Queues a repair unless one is queued. `enqueueRepair` also invalidates all cached copies of the blog. */
async function queueRepair(tx: Db, blogId: string, now: string): Promise<void> {
  if (!(await isRepairQueued(tx, blogId))) await enqueueRepair(tx, blogId, now);
}

/** Key of a page that does not exist: the next build removes the files that the manifest lists for it. */
const NO_PAGE = 'post:none';

type Orphan = Drift & { readonly kind: 'orphaned' };

async function repairOrphan(tools: RepairContext, orphan: Orphan): Promise<readonly string[]> {
  const { db, clock } = tools;
  const { path, blog } = orphan;
  if (path.startsWith(MEDIA_FOLDER)) {
    await inTransaction(db, async (tx) => {
      const now = clock.now();
      if (!(await isKnownMedia(tx, path))) await orphanMedia(tx, [path], now);
    });
    return [];
  }
  if (blog === null || blog.isDeleted) return removeUnownedFile(tools, path);
  // If a builder writes the file in the meantime, its own manifest entry wins.
  const inBlog = path.slice(sitePath(blog.folder, '').length);
  const isInIndex = inBlog.startsWith(SEARCH_INDEX_FOLDER);
  await inTransaction(db, async (tx) => {
    const page = isInIndex ? indexFileKey(inBlog.slice(SEARCH_INDEX_FOLDER.length)) : NO_PAGE;
    if (!(await adoptUnknownFile(tx, blog.id, inBlog, page))) return;
    if (isInIndex) await requeueSearchIndex(tx, blog.id);
    await queueRepair(tx, blog.id, clock.now());
  });
  return [blog.id];
}

/**
 * Removes a file that belongs to no blog. If a blog has come to own it in the meantime, its next rebuild restores the
 * file. That rebuild marks it as uncertain, because the builder that wrote the file may still record it as present.
 */
async function removeUnownedFile(
  { db, edge, clock }: RepairContext,
  path: string,
): Promise<readonly string[]> {
  await edge.remove([path]);
  await edge.invalidate([path]);
  return inTransaction(db, async (tx) => {
    const owners = await findOwners(tx, path);
    for (const { blogId, entry } of owners) {
      await markUncertainLater(tx, blogId, entry);
      await queueRepair(tx, blogId, clock.now());
    }
    return owners.map(({ blogId }) => blogId);
  });
}

async function findOwners(tx: Db, path: string) {
  const [, folder, rest = ''] = /^sites\/([^/]+)\/(.+)$/s.exec(path) ?? [];
  if (folder === undefined) {
    const entries = await findHostEntries(tx, `/${path}`);
    return entries.map(({ blogId, ...entry }) => ({ blogId, entry }));
  }
  const blog = await findEdgeBlog(tx, { folder });
  const entries = blog ? await findEntries(tx, blog.id, { pages: [], paths: [rest] }) : [];
  return blog ? entries.map((entry) => ({ blogId: blog.id, entry })) : [];
}

/** Restores an image file, or queues the rendering of a variant. False if the image is lost for good. */
async function repairImage({ db, edge, clock, mediaFrom }: RepairContext, lost: LostImage): Promise<boolean> {
  const { path, imageId, isVariant, bytes: length } = lost;
  const found = mediaFrom && (await readIfExists(mediaFrom, path));
  if (found && (length === null || found.length === length)) {
    await edge.write(path, found);
    await inTransaction(db, async (tx) => {
      // The image may have been deleted while its file was written.
      const now = clock.now();
      if (!(await isKnownMedia(tx, path))) await orphanMedia(tx, [path], now);
    });
    return true;
  }
  if (!isVariant) return false;
  await inTransaction(db, async (tx) => {
    if (await findMedia(tx, path)) await remakeVariants(tx, imageId, clock.now());
  });
  return true;
}
