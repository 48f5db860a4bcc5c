import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTS_FOLDER, MEDIA_FOLDER, SITES_FOLDER } from '../../generator/edge-paths.ts';
import type { Db } from '../database/database.ts';
import { findHostsInUse } from '../domains/store.ts';
import { isKnownMedia } from '../media/media-files.ts';
import { type CopiedBlog, type CopyBlogTools, copyBlog } from './copy-blog.ts';
import type { Progress } from './progress.ts';
import { type EdgeBlog, findEdgeBlog, findEdgeState, listEdgeBlogs } from './store.ts';

export interface CopyTools extends Omit<CopyBlogTools, 'previous' | 'onLostImage'> {
  readonly db: Db;
  readonly progress: Progress;
  /** Rejects if a server now publishes to the other edge. `to` checks this before each write. */
  readonly assertNoServer: () => Promise<void>;
}

export interface CopyOptions {
  /** The copy follows new changes until this signal is aborted; null to end as soon as nothing differs. */
  readonly followUntil: AbortSignal | null;
}

export interface CopyResult {
  readonly blogs: number;
  /** Files that were written or removed. */
  readonly files: number;
  /** Number of passes that had something to copy. */
  readonly passes: number;
  /** Whether nothing has changed since the last pass. */
  readonly isComplete: boolean;
  /** Images whose files are on neither edge. */
  readonly lost: readonly string[];
}

/** Passes after which a copy sweeps, and may end, although blogs still change. */
const PASSES_PER_SWEEP = 20;

const POLL_MS = 1_000;

/**
 * Brings another edge in step with the database, blog by blog, while a server may go on publishing to the present edge.
 * Keeps no state and skips files that are already up to date, so it can be interrupted at any point and repeated.
 */
export async function copyEdge(tools: CopyTools, { followUntil }: CopyOptions): Promise<CopyResult> {
  const { db, progress } = tools;
  const copied = new Map<string, CopiedBlog>();
  const lost = new Set<string>();
  let [files, passes] = [0, 0];
  let sweptFor = '';
  while (true) {
    await tools.assertNoServer();
    const all = await listEdgeBlogs(db);
    const blogs = all.filter(({ isDeleted }) => !isDeleted);
    const changed = await findChanged(db, blogs, copied);
    const isComplete = changed.length === 0;
    if (!isComplete) {
      progress.begin(passes === 0 ? 'blogs' : 'blogs that have changed', changed.length);
      passes += 1;
    }
    for (const blog of changed) {
      const before = copied.get(blog.id) ?? null;
      const result = await copyBlog(
        { ...tools, previous: before, onLostImage: (path) => lost.add(path) },
        blog,
      );
      if (result) copied.set(blog.id, result);
      files += result?.touched ?? 0;
      progress.advance();
    }
    progress.end();
    if (!isComplete && passes % PASSES_PER_SWEEP > 0) continue;
    const present = JSON.stringify(all);
    if (present !== sweptFor)
      files += await removeLeftovers(
        tools,
        [...copied.values()].flatMap(({ hosts }) => hosts),
      );
    sweptFor = present;
    if (followUntil?.aborted ?? true) {
      return { blogs: blogs.length, files, passes, isComplete, lost: [...lost] };
    }
    // Wakes early if the signal is aborted.
    await sleep(POLL_MS, undefined, { ...(followUntil && { signal: followUntil }) }).catch(() => {});
  }
}

async function findChanged(
  db: Db,
  blogs: readonly EdgeBlog[],
  copied: ReadonlyMap<string, CopiedBlog>,
): Promise<EdgeBlog[]> {
  const changed: EdgeBlog[] = [];
  for (const blog of blogs) {
    if (copied.get(blog.id)?.state !== (await findEdgeState(db, blog.id))) changed.push(blog);
  }
  return changed;
}

/** Files per removal. */
const REMOVAL_BATCH = 500;

/** Removes leftovers of an earlier copy, or of an earlier use of the edge. Returns the number of files. */
async function removeLeftovers({ db, to }: CopyTools, hosts: readonly string[]): Promise<number> {
  const known = new Set(hosts);
  const isWanted = async (path: string): Promise<boolean> => {
    const [, top = '', name = ''] = /^(\w+)\/([^/]+)/.exec(path) ?? [];
    if (top === 'media') return isKnownMedia(db, path);
    if (top === 'sites') return (await findEdgeBlog(db, { folder: name })) !== null;
    return known.has(path) || (await isHostInUse(db, name));
  };
  let removed = 0;
  for (const folder of [HOSTS_FOLDER, SITES_FOLDER, MEDIA_FOLDER]) {
    let orphaned: string[] = [];
    const remove = async () => {
      await to.remove(orphaned);
      await to.invalidate(orphaned);
      removed += orphaned.length;
      orphaned = [];
    };
    for await (const { path } of to.list(folder)) {
      if (!(await isWanted(path))) orphaned.push(path);
      if (orphaned.length === REMOVAL_BATCH) await remove();
    }
    if (orphaned.length > 0) await remove();
  }
  return removed;
}

async function isHostInUse(db: Db, hostname: string): Promise<boolean> {
  const { registered, known } = await findHostsInUse(db, [hostname]);
  return registered.has(hostname) || known.has(hostname);
}
