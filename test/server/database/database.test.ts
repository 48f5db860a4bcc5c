import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccount, insertAccount } from '../../../server/accounts/store.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { openBuilder } from '../../../server/builder/open-builder.ts';
import { type Db, inTransaction } from '../../../server/database/database.ts';
import { checkpoint, openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';
import type { PostInput } from '../../../server/posts/post.ts';
import { defaultTiers } from '../../../server/tiers/tier.ts';
import { openWorkshop, plainCards, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let db: Db;
beforeAll(async () => {
  workshop = await openWorkshop();
  db = workshop.services.db;
});
afterAll(() => workshop.close());

const account = (id: string) => ({
  id,
  email: `${id}@example.org`,
  name: id,
  tier: 'free' as const,
  createdAt: workshop.clock.now(),
});

/** Every row that a write of a post may leave. */
async function rowsOfPosts(): Promise<Record<string, number>> {
  const tables = ['posts', 'post_contents', 'placements', 'monthly_posts', 'changes', 'rebuilds'] as const;
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table] = (await db.selectFrom(table).selectAll().execute()).length;
  return counts;
}

const post: PostInput = {
  title: 'A title',
  content: 'x',
  tags: ['rust'],
  status: 'published',
  meta: { description: null, ogImage: null },
};

/** Code of a thread: transactions that first read and then write, like those of the services. */
const counting = `
  const { workerData } = require('node:worker_threads');
  import(workerData.database).then(async ({ openDatabase }) => {
    const db = openDatabase({ file: workerData.file, transactions: 'immediate', durable: false });
    for (let n = 0; n < 200; n++) {
      await db.transaction().execute(async (tx) => {
        const row = await tx.selectFrom('monthly_posts').select('posts').executeTakeFirstOrThrow();
        await tx.updateTable('monthly_posts').set({ posts: row.posts + 1 }).execute();
      });
    }
    await db.destroy();
  });`;

describe('two connections that write at the same time', () => {
  it('two simultaneous writers wait for each other, lose no write and do not fail', async () => {
    const file = join(workshop.config.dataDir, 'counted.db');
    const counted = openDatabase({ file, transactions: 'immediate', durable: true });
    await migrate(counted);
    await insertAccount(counted, account('a'));
    await counted
      .insertInto('monthly_posts')
      .values({ account_id: 'a', month: '2026-01', posts: 0 })
      .execute();
    const database = pathToFileURL(
      createRequire(import.meta.url).resolve('#dist/server/database/dialect.js'),
    ).href;
    const threads = [0, 1, 2].map(() => new Worker(counting, { eval: true, workerData: { database, file } }));
    const ends = await Promise.all(threads.map((thread) => once(thread, 'exit')));
    expect(ends).toEqual([[0], [0], [0]]);
    const { posts } = await counted.selectFrom('monthly_posts').select('posts').executeTakeFirstOrThrow();
    expect(posts).toBe(600);
    await counted.destroy();
  });
});

describe('a transaction that fails', () => {
  it('a failed transaction leaves none of its writes', async () => {
    const failing = db.transaction().execute(async (tx) => {
      await insertAccount(tx, account('undone'));
      throw new Error('second thoughts');
    });
    await expect(failing).rejects.toThrow('second thoughts');
    expect(await findAccount(db, 'undone')).toBeNull();
  });

  it('a failed transaction also undoes writes of transactions nested in it', async () => {
    const failing = db.transaction().execute(async (outer) => {
      await inTransaction(outer, (tx) => insertAccount(tx, account('inner')));
      throw new Error('second thoughts');
    });
    await expect(failing).rejects.toThrow('second thoughts');
    expect(await findAccount(db, 'inner')).toBeNull();
  });

  it('a connection works on after a failed transaction', async () => {
    await inTransaction(db, (tx) => insertAccount(tx, account('after')));
    expect(await findAccount(db, 'after')).toMatchObject({ id: 'after', tier: 'free' });
  });
});

describe('a post that is refused', () => {
  let blog: Blog;
  beforeAll(async () => {
    blog = await workshop.newBlog('refusals');
  });

  it('a post refused for the quota leaves no row and no change', async () => {
    const { posts } = workshop.services;
    const caller = { ...workshop.caller, tier: defaultTiers.free };
    for (let n = 0; n < 10; n++) await posts.create(caller, blog, post);
    const before = await rowsOfPosts();
    await expect(posts.create(caller, blog, post)).rejects.toThrow('10 posts');
    expect(await rowsOfPosts()).toEqual(before);
  });

  it('a post refused for its slug leaves no row and no change, and a refused update none of its fields', async () => {
    const { posts } = workshop.services;
    await posts.create(workshop.caller, blog, { ...post, slug: 'taken' });
    const mine = await posts.create(workshop.caller, blog, { ...post, slug: 'mine' });
    const before = await rowsOfPosts();
    await expect(posts.create(workshop.caller, blog, { ...post, slug: 'taken' })).rejects.toThrow('taken');
    const patch = { slug: 'taken', title: 'Other', tags: ['other'] };
    await expect(posts.update(blog, mine.slug, patch)).rejects.toThrow('taken');
    expect(await rowsOfPosts()).toEqual(before);
    expect(await posts.get(blog, 'mine')).toMatchObject({ title: 'A title', tags: ['rust'] });
  });
});

describe('the database', () => {
  it('migrating an up-to-date database changes nothing', async () => {
    await insertAccount(db, account('kept'));
    await migrate(db);
    await migrate(db);
    expect(await findAccount(db, 'kept')).not.toBeNull();
  });

  it('a snapshot shows one state of the database, whatever is written in the meantime', async () => {
    const options = { file: workshop.config.databaseFile, transactions: 'snapshot', durable: false } as const;
    const reader = openDatabase(options);
    await reader.transaction().execute(async (snapshot) => {
      expect(await findAccount(snapshot, 'later')).toBeNull();
      await insertAccount(db, account('later'));
      expect(await findAccount(snapshot, 'later')).toBeNull();
    });
    expect(await findAccount(reader, 'later')).not.toBeNull();
    await reader.destroy();
  });

  it('a write is synced to disk before the client gets its response', async () => {
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
    const FULL = 2;
    expect(rows).toEqual([{ synchronous: FULL }]);
  });

  it('foreign keys refuse rows without an owner', async () => {
    const orphan = { account_id: 'nobody', month: '2026-01', posts: 1 };
    await expect(db.insertInto('monthly_posts').values(orphan).execute()).rejects.toThrow('FOREIGN KEY');
  });
});

describe('the write-ahead log', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'platen-log-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Six times the size at which SQLite checkpoints by default. */
  async function writeMuch(db: Db): Promise<void> {
    await sql`create table heap (bytes blob)`.execute(db);
    for (let n = 0; n < 24; n += 1) await sql`insert into heap values (zeroblob(1048576))`.execute(db);
  }
  const sizeOf = (file: string) => statSync(file).size;

  it('the connection that serves requests never checkpoints, and leaves that to another connection', async () => {
    const file = join(folder, 'left.db');
    const options = { file, transactions: 'immediate', durable: false } as const;
    const api = openDatabase({ ...options, checkpoints: 'elsewhere' });
    await writeMuch(api);
    expect(sizeOf(file)).toBeLessThan(1_000_000);
    const other = openDatabase(options);
    await checkpoint(other);
    expect(sizeOf(file)).toBeGreaterThan(24_000_000);
    // The log starts again, and is truncated to its usual size.
    await sql`insert into heap values (1)`.execute(other);
    expect(sizeOf(`${file}-wal`)).toBeLessThanOrEqual(16 * 1024 * 1024);
    await other.destroy();
    await api.destroy();
  });

  it('the builder checkpoints the write-ahead log', async () => {
    const { config } = workshop.services;
    const api = workshop.services.db;
    const before = sizeOf(config.databaseFile);
    await writeMuch(api);
    expect(sizeOf(config.databaseFile)).toBe(before);
    const builder = await openBuilder(config, { cards: plainCards, indexMaker: null });
    await builder.drain();
    expect(sizeOf(config.databaseFile)).toBeGreaterThan(before + 24_000_000);
    await builder.close();
  });
});
