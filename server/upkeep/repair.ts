import { type ReadableEdge, readIfThere } from '../../generator/edge/edge.ts';
import { BASE_FOLDER } from '../../generator/search/search-index.ts';
import { markUncertainLater } from '../build/lease-recovery.ts';
import { baseKey, isOfBase } from '../build/stored-manifest.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { remakeVariants } from '../media/image-variants-store.ts';
import { findMedia, isKnownMedia } from '../media/media-files.ts';
import { addOrphanedMedia } from '../media/store.ts';
import { findEntries, findHostEntries } from '../rebuilds/manifest.ts';
import { enqueueChange, enqueueRepair } from '../rebuilds/store.ts';
import type { Clock } from '../runtime/clock.ts';
import { requeueSearchIndex } from '../search-index/store.ts';
import type { Drift, OnDrift } from './drift.ts';
import { scanHosts, scanMedia, scanSites } from './scan-files.ts';
import { mendKey } from './scan-keys.ts';
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

type MendTools = Pick<RepairTools, 'db' | 'edge' | 'clock' | 'told' | 'mediaFrom'>;

export interface Outcome {
  /** Blogs that a builder must now rebuild. */
  readonly blogs: ReadonlySet<string>;
  /** Edge paths of the images that could not be recovered. */
  readonly lost: readonly string[];
}

export interface Repair extends Outcome {
  readonly verification: Verification;
}

/**
 * Finds what is out of step and repairs it; failed rebuilds are retried at once. Faulty files of a blog are marked in its
 * manifest, as after the death of a builder, and a rebuild is queued, so that the builder writes and removes files under
 * its lease. Each mark is a transaction of its own, so an interrupted repair keeps what it has done.
 */
export async function repair(tools: RepairTools, options: VerifyOptions): Promise<Repair> {
  const { blogs, lost, onDrift } = mending(tools);
  const verification = await verify(tools, options, onDrift);
  const only = options.blog === null ? null : ((await findEdgeBlog(tools.db, options.blog))?.id ?? null);
  for (const blogId of await findFailedBlogs(tools.db, only)) {
    await inTransaction(tools.db, (tx) => queueRepair(tx, blogId, tools.clock.now()));
    blogs.add(blogId);
  }
  return { verification, blogs, lost };
}

/** Repairs files alone, for example after a power failure. Assumes that the manifest is up to date with the database. */
export async function repairFiles(
  tools: Pick<RepairTools, 'db' | 'edge' | 'clock'>,
): Promise<Outcome & { readonly files: number }> {
  const { blogs, lost, onDrift } = mending({ ...tools, told: null, mediaFrom: null });
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

function mending(tools: MendTools) {
  const blogs = new Set<string>();
  /** Blogs for which a full build is already queued. */
  const pressed = new Set<string>();
  const lost: string[] = [];
  const onDrift: OnDrift = async (drift) => {
    if (drift.kind === 'lost') {
      if (!(await mendMedia(tools, drift))) lost.push(drift.path);
    } else if (drift.kind !== 'outdated' || !pressed.has(drift.blog.id)) {
      if (drift.kind === 'outdated') pressed.add(drift.blog.id);
      for (const blogId of await mend(tools, drift)) blogs.add(blogId);
    }
  };
  return { blogs, lost, onDrift };
}

type Lost = Drift & { readonly kind: 'lost' };

/** Repairs one difference, or queues that. Returns the blogs that a builder must rebuild. */
async function mend(tools: MendTools, drift: Exclude<Drift, Lost>): Promise<readonly string[]> {
  const { db, clock } = tools;
  switch (drift.kind) {
    case 'missing':
    case 'different':
    case 'uncertain':
      return inTransaction(db, async (tx) => {
        const { blog, entry } = drift;
        const isDoubted = drift.kind === 'uncertain' || (await markEntryUncertain(tx, blog.id, entry));
        if (isDoubted) await queueRepair(tx, blog.id, clock.now());
        if (isDoubted && isOfBase(entry.page)) await requeueSearchIndex(tx, blog.id);
        return [blog.id];
      });
    case 'outdated':
      await inTransaction(db, (tx) => enqueueChange(tx, drift.blog.id, { scope: 'blog' }, clock.now()));
      return [drift.blog.id];
    case 'stray':
      return mendStray(tools, drift);
    case 'untold':
      if (tools.told) await mendKey({ ...tools, told: tools.told }, drift);
      return [];
  }
}

/** Queues a repair unless one is queued. `enqueueRepair` also invalidates all cached copies of the blog. */
async function queueRepair(tx: Db, blogId: string, now: string): Promise<void> {
  if (!(await isRepairQueued(tx, blogId))) await enqueueRepair(tx, blogId, now);
}

/** Key of a page that does not exist: the next build removes the files that the manifest lists for it. */
const NO_PAGE = 'post:none';

type Stray = Drift & { readonly kind: 'stray' };

async function mendStray(tools: MendTools, stray: Stray): Promise<readonly string[]> {
  const { db, clock } = tools;
  const { path, blog } = stray;
  if (path.startsWith('media/')) {
    await inTransaction(db, async (tx) => {
      const now = clock.now();
      if (!(await isKnownMedia(tx, path))) await addOrphanedMedia(tx, [path], { dueAt: now, safeUntil: now });
    });
    return [];
  }
  if (blog === null || blog.isDeleted) return removeUnowned(tools, path);
  // If a builder writes the file in the meantime, its own manifest entry wins.
  const inBlog = path.slice(`sites/${blog.slug}/`.length);
  const ofBase = inBlog.startsWith(BASE_FOLDER);
  await inTransaction(db, async (tx) => {
    const page = ofBase ? baseKey(inBlog.slice(BASE_FOLDER.length)) : NO_PAGE;
    if (!(await adoptUnknownFile(tx, blog.id, inBlog, page))) return;
    if (ofBase) await requeueSearchIndex(tx, blog.id);
    await queueRepair(tx, blog.id, clock.now());
  });
  return [blog.id];
}

/**
 * Removes a file that belongs to no blog. If a blog has come to own it in the meantime, its next rebuild restores the
 * file. That rebuild marks it as uncertain, because the builder that wrote the file may still record it as present.
 */
async function removeUnowned({ db, edge, clock }: MendTools, path: string): Promise<readonly string[]> {
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
  const [, slug, rest = ''] = /^sites\/([^/]+)\/(.+)$/s.exec(path) ?? [];
  if (slug === undefined) {
    const entries = await findHostEntries(tx, `/${path}`);
    return entries.map(({ blogId, ...entry }) => ({ blogId, entry }));
  }
  const blog = await findEdgeBlog(tx, slug);
  const entries = blog ? await findEntries(tx, blog.id, { pages: [], paths: [rest] }) : [];
  return blog ? entries.map((entry) => ({ blogId: blog.id, entry })) : [];
}

/** Restores an image file, or queues the rendering of a variant. False if the image is lost for good. */
async function mendMedia({ db, edge, clock, mediaFrom }: MendTools, lost: Lost): Promise<boolean> {
  const { path, imageId, isVariant, bytes: length } = lost;
  const found = mediaFrom && (await readIfThere(mediaFrom, path));
  if (found && (length === null || found.length === length)) {
    await edge.write(path, found);
    await inTransaction(db, async (tx) => {
      // The image may have been deleted while its file was written.
      const now = clock.now();
      if (!(await isKnownMedia(tx, path))) await addOrphanedMedia(tx, [path], { dueAt: now, safeUntil: now });
    });
    return true;
  }
  if (!isVariant) return false;
  await inTransaction(db, async (tx) => {
    if (await findMedia(tx, path)) await remakeVariants(tx, imageId, clock.now());
  });
  return true;
}
