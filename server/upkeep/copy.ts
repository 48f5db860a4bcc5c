import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../database/database.ts';
import { findHostsInUse } from '../domains/store.ts';
import { isKnownMedia } from '../media/media-files.ts';
import { type CopiedBlog, type CopyBlogTools, copyBlog } from './copy-blog.ts';
import type { Progress } from './progress.ts';
import { type EdgeBlog, findEdgeBlog, findEdgeState, listEdgeBlogs } from './store.ts';

export interface CopyTools extends Omit<CopyBlogTools, 'before' | 'onLost'> {
  readonly db: Db;
  readonly progress: Progress;
  /** Rejects where a server publishes to the other edge by now; `to` asks before each write. */
  readonly assertOurs: () => Promise<void>;
}

export interface CopyOptions {
  /** The copy goes on following what is published until this is aborted; null where it ends when nothing differs. */
  readonly followUntil: AbortSignal | null;
}

export interface Copy {
  readonly blogs: number;
  /** Files that were written or removed. */
  readonly files: number;
  /** In which there was something to look at. */
  readonly passes: number;
  /** Whether nothing has changed since the last of them. */
  readonly isComplete: boolean;
  /** Images whose files are on neither edge. */
  readonly lost: readonly string[];
}

/** Passes over what has changed since the one before, until nothing has. */
const PASSES = 20;

const PAUSE_MS = 1_000;

/**
 * Brings another edge to what the database says, blog by blog, beside a server that goes on publishing to the edge
 * where the blogs are. Nothing is noted anywhere, and nothing written that is there already: it may be cut off at any
 * point, and repeated.
 */
export async function copy(tools: CopyTools, { followUntil }: CopyOptions): Promise<Copy> {
  const { db, progress } = tools;
  const copied = new Map<string, CopiedBlog>();
  const lost = new Set<string>();
  let [files, passes] = [0, 0];
  let swept = '';
  while (true) {
    await tools.assertOurs();
    const all = await listEdgeBlogs(db);
    const blogs = all.filter(({ isGoing }) => !isGoing);
    const changed = await findChanged(db, blogs, copied);
    const isComplete = changed.length === 0;
    if (!isComplete) {
      progress.begin(passes === 0 ? 'blogs' : 'blogs that have changed', changed.length);
      passes += 1;
    }
    for (const blog of changed) {
      const before = copied.get(blog.id) ?? null;
      const result = await copyBlog({ ...tools, before, onLost: (path) => lost.add(path) }, blog);
      if (result) copied.set(blog.id, result);
      files += result?.touched ?? 0;
      progress.advance();
    }
    progress.end();
    if (!isComplete && passes % PASSES > 0) continue;
    const present = JSON.stringify(all);
    if (present !== swept)
      files += await sweep(
        tools,
        [...copied.values()].flatMap(({ hosts }) => hosts),
      );
    swept = present;
    if (followUntil?.aborted ?? true) {
      return { blogs: blogs.length, files, passes, isComplete, lost: [...lost] };
    }
    // Woken where it is to end.
    await sleep(PAUSE_MS, undefined, { ...(followUntil && { signal: followUntil }) }).catch(() => {});
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

/** Files that are removed at once. */
const REMOVED_AT_ONCE = 500;

/** Removes what an earlier copy, or a time when the blogs were there, has left of what is gone. Returns how much. */
async function sweep({ db, to }: CopyTools, hosts: readonly string[]): Promise<number> {
  const known = new Set(hosts);
  const isWanted = async (path: string): Promise<boolean> => {
    const [, top = '', name = ''] = /^(\w+)\/([^/]+)/.exec(path) ?? [];
    if (top === 'media') return isKnownMedia(db, path);
    if (top === 'sites') return (await findEdgeBlog(db, name)) !== null;
    return known.has(path) || (await isHostInUse(db, name));
  };
  let removed = 0;
  for (const folder of ['hosts/', 'sites/', 'media/']) {
    let gone: string[] = [];
    const remove = async () => {
      await to.remove(gone);
      await to.invalidate(gone);
      removed += gone.length;
      gone = [];
    };
    for await (const { path } of to.list(folder)) {
      if (!(await isWanted(path))) gone.push(path);
      if (gone.length === REMOVED_AT_ONCE) await remove();
    }
    if (gone.length > 0) await remove();
  }
  return removed;
}

async function isHostInUse(db: Db, hostname: string): Promise<boolean> {
  const { registered, known } = await findHostsInUse(db, [hostname]);
  return registered.has(hostname) || known.has(hostname);
}
