import { type ReadableEdge, readIfThere } from '../../generator/edge/edge.ts';
import { BASE_FOLDER } from '../../generator/search/search-index.ts';
import { doubtLater } from '../build/lease-recovery.ts';
import { baseKey, isOfBase } from '../build/stored-manifest.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { remakeVariants } from '../media/image-variants-store.ts';
import { findMedia, isKnownMedia } from '../media/media-files.ts';
import { addStrays } from '../media/store.ts';
import { findEntries, findHostEntries } from '../rebuilds/manifest.ts';
import { enqueueChange, enqueueRepair } from '../rebuilds/store.ts';
import type { Clock } from '../runtime/clock.ts';
import { requeueBase } from '../search-index/store.ts';
import type { Drift, OnDrift } from './drift.ts';
import { scanHosts, scanMedia, scanSites } from './scan-files.ts';
import { mendKey } from './scan-keys.ts';
import { adoptStray, doubtEntry, findEdgeBlog, findFailedBlogs, isRepairQueued } from './store.ts';
import { type Verification, type VerifyOptions, type VerifyTools, verify } from './verify.ts';

export interface RepairTools extends VerifyTools {
  readonly clock: Clock;
  /** Another edge, where images may be that this one has lost; null where there is none. */
  readonly mediaFrom: ReadableEdge | null;
}

type MendTools = Pick<RepairTools, 'db' | 'edge' | 'clock' | 'told' | 'mediaFrom'>;

export interface Outcome {
  /** Blogs that a builder has to work for now. */
  readonly blogs: ReadonlySet<string>;
  /** Images that nobody has any more, by their paths on the edge. */
  readonly lost: readonly string[];
}

export interface Repair extends Outcome {
  readonly verification: Verification;
}

/**
 * Finds what is out of step and has it mended; failed rebuilds are tried again at once. What is wrong with the files of a
 * blog is noted in its manifest, as after the death of a builder, and queued, so that the builder writes and removes
 * files, under its lease. Each note is a transaction of its own: a repair that is cut off has mended less.
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

/** Finds and mends the same of files alone, as after a loss of power: pages are taken for what the manifest says. */
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
  /** Blogs that are pressed whole anyway. */
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

/** Has something mended. Returns the blogs that a builder has to work for. */
async function mend(tools: MendTools, drift: Exclude<Drift, Lost>): Promise<readonly string[]> {
  const { db, clock } = tools;
  switch (drift.kind) {
    case 'missing':
    case 'different':
    case 'uncertain':
      return inTransaction(db, async (tx) => {
        const { blog, entry } = drift;
        const isDoubted = drift.kind === 'uncertain' || (await doubtEntry(tx, blog.id, entry));
        if (isDoubted) await queueRepair(tx, blog.id, clock.now());
        if (isDoubted && isOfBase(entry.page)) await requeueBase(tx, blog.id);
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

/** Readers' copies of what was wrong are forgotten with all others of the blog, which `enqueueRepair` sees to. */
async function queueRepair(tx: Db, blogId: string, now: string): Promise<void> {
  if (!(await isRepairQueued(tx, blogId))) await enqueueRepair(tx, blogId, now);
}

/** The key of a page that no blog has: whatever lies under it in a manifest goes with the next press. */
const NO_PAGE = 'post:none';

type Stray = Drift & { readonly kind: 'stray' };

async function mendStray(tools: MendTools, stray: Stray): Promise<readonly string[]> {
  const { db, clock } = tools;
  const { path, blog } = stray;
  if (path.startsWith('media/')) {
    await inTransaction(db, async (tx) => {
      const now = clock.now();
      if (!(await isKnownMedia(tx, path))) await addStrays(tx, [path], { dueAt: now, safeUntil: now });
    });
    return [];
  }
  if (blog === null || blog.isGoing) return removeUnowned(tools, path);
  // A builder that has come to write the file meanwhile makes it its own.
  const inBlog = path.slice(`sites/${blog.slug}/`.length);
  const ofBase = inBlog.startsWith(BASE_FOLDER);
  await inTransaction(db, async (tx) => {
    const page = ofBase ? baseKey(inBlog.slice(BASE_FOLDER.length)) : NO_PAGE;
    if (!(await adoptStray(tx, blog.id, inBlog, page))) return;
    if (ofBase) await requeueBase(tx, blog.id);
    await queueRepair(tx, blog.id, clock.now());
  });
  return [blog.id];
}

/**
 * Removes a file that is no blog's. Should one have come to own it meanwhile, its next rebuild makes that good: the
 * builder that has written the file may still be about to note that.
 */
async function removeUnowned({ db, edge, clock }: MendTools, path: string): Promise<readonly string[]> {
  await edge.remove([path]);
  await edge.invalidate([path]);
  return inTransaction(db, async (tx) => {
    const owners = await findOwners(tx, path);
    for (const { blogId, entry } of owners) {
      await doubtLater(tx, blogId, entry);
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

/** False where the file is nowhere any more. */
async function mendMedia({ db, edge, clock, mediaFrom }: MendTools, lost: Lost): Promise<boolean> {
  const { path, imageId, isVariant, bytes: length } = lost;
  const found = mediaFrom && (await readIfThere(mediaFrom, path));
  if (found && (length === null || found.length === length)) {
    await edge.write(path, found);
    await inTransaction(db, async (tx) => {
      // The image may have been deleted while its file was written.
      const now = clock.now();
      if (!(await isKnownMedia(tx, path))) await addStrays(tx, [path], { dueAt: now, safeUntil: now });
    });
    return true;
  }
  if (!isVariant) return false;
  await inTransaction(db, async (tx) => {
    if (await findMedia(tx, path)) await remakeVariants(tx, imageId, clock.now());
  });
  return true;
}
