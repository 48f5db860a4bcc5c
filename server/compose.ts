import { mkdirSync } from 'node:fs';
import { createMarkdownPool } from '../generator/markdown/pool.ts';
import { type Clock, systemClock } from './clock.ts';
import { blogUrl, type Config } from './config.ts';
import { createLog, type Log } from './log.ts';
import { type Blogs, createBlogs } from './services/blogs.ts';
import { type Credentials, createCredentials } from './services/credentials.ts';
import { createPosts, type Posts } from './services/posts.ts';
import { createPublication, type Publication } from './services/publication.ts';
import { createRebuilds, type Rebuilds } from './services/rebuilds.ts';
import { createRemoval, type Removal } from './services/removal.ts';
import { type Db, migrate, openDatabase } from './store/database.ts';

/** Everything that answers requests, wired once. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly db: Db;
  readonly credentials: Credentials;
  readonly blogs: Blogs;
  readonly posts: Posts;
  readonly publication: Publication;
  readonly rebuilds: Rebuilds;
  readonly removal: Removal;
  /** Absolute address of a blog's front page. */
  readonly blogUrl: (blogSlug: string) => string;
  /** Sets who is told that a write has queued a rebuild; until then nobody is, and the queue keeps it. */
  readonly onChange: (listener: () => void) => void;
  close(): Promise<void>;
}

export interface ServicesOptions {
  readonly clock?: Clock;
  readonly log?: Log;
}

/** Opens the database, brings it up to date, and builds the services on it. */
export async function createServices(config: Config, options: ServicesOptions = {}): Promise<Services> {
  const { clock = systemClock, log = createLog(config.logLevel) } = options;
  mkdirSync(config.dataDir, { recursive: true });
  const db = openDatabase({ file: config.databaseFile, transactions: 'immediate', durable: true });
  await migrate(db);

  const markdown = createMarkdownPool({ threads: config.markdownThreads });
  let tellBuilder = () => {};
  const shared = {
    db,
    clock,
    upgradeUrl: `${config.publicUrl}/dashboard/billing`,
    onChange: () => tellBuilder(),
  };
  return {
    config,
    clock,
    log,
    db,
    credentials: createCredentials(shared),
    blogs: createBlogs(shared),
    posts: createPosts({ ...shared, markdown }),
    publication: createPublication(shared),
    rebuilds: createRebuilds(shared),
    removal: createRemoval(shared),
    blogUrl: (slug) => blogUrl(config, slug),
    onChange(listener) {
      tellBuilder = listener;
    },
    async close() {
      await markdown.close();
      await db.destroy();
    },
  };
}
