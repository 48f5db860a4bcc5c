import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { ReadableEdge } from '../../generator/edge/edge.ts';
import { edgeOf } from '../../generator/edge/edge-kinds.ts';
import type { Blog } from '../../server/blogs/blog.ts';
import { startBuilderThread } from '../../server/builder/builder-thread.ts';
import { tryLock } from '../../server/runtime/lock.ts';
import { createLog } from '../../server/runtime/log.ts';
import { openUpkeep, type Upkeep } from '../../server/upkeep/open-upkeep.ts';
import { silentProgress } from '../../server/upkeep/progress.ts';
import { withoutBase } from './plain-search-indexes.ts';
import type { S3Server } from './s3-server.ts';
import { openWorkshop, readEdge, type Workshop } from './site-builder.ts';

/** A workshop with the parts of a running server other than the API: its lock, and a running builder. */
export interface Newsroom extends Workshop {
  /** The edge for direct changes that damage it. */
  readonly edge: ReadableEdge;
  publish(blog: Blog, title: string, tags?: readonly string[]): Promise<string>;
  /** Resolves once the builder has nothing left to do. */
  untilIdle(): Promise<void>;
  /** The files of a blog on the edge. */
  read(blog: Blog): Promise<Map<string, string>>;
  /** Runs an operator's command. The services for it are opened once. */
  upkeep<T>(work: (upkeep: Upkeep) => Promise<T>): Promise<T>;
  /** Stops the builder and releases the lock. */
  stop(): Promise<void>;
}

/** Opens a newsroom that publishes to a folder, or to a bucket of a server. */
export async function openNewsroom(s3?: { server: S3Server; bucket: string }): Promise<Newsroom> {
  const workshop = await openWorkshop(s3 ? s3.server.env(s3.bucket) : {});
  const { config, services } = workshop;
  const unlock = tryLock(join(config.dataDir, 'lock'));
  // Two connections that write in one thread would block each other.
  const builder = startBuilderThread(config, createLog('error'), () => {});
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= builder.stop().then(() => unlock?.());
    return stopped;
  };
  const { db } = services;
  let opened: Promise<Upkeep> | undefined;
  return {
    ...workshop,
    edge: await edgeOf(config.edge).open({ unfinishedFolder: '.unfinished-by-hand' }),
    async publish(blog, title, tags = ['ink']) {
      const meta = { description: null, ogImage: null };
      const post = { title, content: `About ${title}.`, tags: [...tags], status: 'published', meta } as const;
      const created = await services.posts.create(workshop.caller, blog, post);
      builder.wake();
      return created.slug;
    },
    untilIdle: () =>
      vi.waitFor(
        async () => {
          builder.wake();
          const rebuilds = await db
            .selectFrom('rebuilds')
            .selectAll()
            .where('status', '<>', 'live')
            .execute();
          expect([rebuilds, await db.selectFrom('leases').selectAll().execute()]).toEqual([[], []]);
          expect(await db.selectFrom('pending_cards').selectAll().execute()).toEqual([]);
          const due = db.selectFrom('search_indexes').selectAll().where('due_at', '<=', workshop.clock.now());
          expect(await due.execute()).toEqual([]);
        },
        { timeout: 60_000, interval: 20 },
      ),
    read: async (blog) =>
      s3 ? s3.server.readBlog(s3.bucket, blog.slug) : readEdge(workshop.edgeDir, blog.slug),
    async upkeep(work) {
      opened ??= openUpkeep(services, silentProgress);
      return work(await opened);
    },
    stop,
    async close() {
      await (await opened)?.close();
      await stop();
      await workshop.close();
    },
  };
}

/** The files of a blog that depend only on the database, without search index and preview cards. */
export const pagesIn = (files: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...withoutBase(files)].filter(([path]) => !path.startsWith('og/')));
