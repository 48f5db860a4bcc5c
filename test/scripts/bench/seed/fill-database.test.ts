import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SEARCH_INDEX_VERSION } from '../../../../generator/search/search-index.ts';
import { fillDatabase, publishedAt, seededPostInput } from '../../../../scripts/bench/seed/fill-database.ts';
import { insertAccount } from '../../../../server/accounts/store.ts';
import { createServices } from '../../../../server/compose.ts';
import { readConfig } from '../../../../server/config/config.ts';
import { findLastSearchChange, recordBuiltSearchIndex } from '../../../../server/search-index/store.ts';

const POSTS = 25;
/** Most posts share their text with another post. */
const TEXTS = 7;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-fill-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('posts that are seeded in bulk leave the same rows as posts created through the API', async () => {
  const [quick, slow] = [join(folder, 'quick'), join(folder, 'slow')];
  await fillDatabase(quick, [POSTS], { texts: TEXTS });
  await writeOneByOne(slow);
  const [seeded, written] = [rowsOf(quick), rowsOf(slow)];
  expect(Object.keys(seeded)).toContain('post_contents');
  expect(seeded.posts).toHaveLength(POSTS);
  expect(seeded).toEqual(written);
});

/** Creates posts as requests would, each in a transaction of its own. */
async function writeOneByOne(dataDir: string): Promise<void> {
  let now = publishedAt(0, POSTS);
  const services = await createServices(readConfig({ PLATEN_DATA_DIR: dataDir, LOG_LEVEL: 'error' }), {
    clock: { now: () => now },
  });
  const { db, credentials, blogs, posts } = services;
  const account = { id: uuid(), email: 'bench@example.org', name: 'Bench', tier: 'enterprise' } as const;
  await insertAccount(db, { ...account, createdAt: now });
  const request = {
    accountId: account.id,
    blogId: null,
    name: 'Bench',
    scopes: ['*'],
    expiresAt: null,
  } as const;
  const caller = await credentials.authenticate((await credentials.issue(request)).secret);
  const { blog } = await blogs.create(caller, {
    slug: `blog-of-${POSTS}`,
    name: `A blog of ${POSTS}`,
    description: 'Posts to measure with.',
  });
  for (let number = 0; number < POSTS; number += 1) {
    now = publishedAt(number, POSTS);
    await posts.create(caller, blog, seededPostInput(number, TEXTS));
  }
  const lastChange = await findLastSearchChange(db, blog.id);
  await recordBuiltSearchIndex(db, blog.id, {
    madeBy: SEARCH_INDEX_VERSION,
    lastChange,
    restUntil: '9999-01-01T00:00:00.000Z',
  });
  await services.close();
}

/** All rows of all tables, with ids numbered in order of appearance, and without random values. */
function rowsOf(dataDir: string): Record<string, unknown[]> {
  const database = new Database(join(dataDir, 'platen.db'));
  const names = database
    .prepare(
      `select name from sqlite_master where type = 'table' and sql not like 'create virtual%'
       and name not like 'search_words%' and name not like 'sqlite_%' and name not like 'kysely_%' order by name`,
    )
    .pluck()
    .all()
    .map(String);
  const tables: Record<string, unknown[]> = {};
  for (const name of names) {
    // Its rows are in the order of their lists.
    const order = name === 'list_sizes' ? 'list' : 'rowid';
    tables[name] = database.prepare(`select * from ${name} order by ${order}`).all();
  }
  database.exec('create virtual table temp.words using fts5vocab(main, search_words, instance)');
  tables.words = database.prepare('select * from temp.words order by term, doc, col, offset').all();
  database.close();
  return withoutChance(tables);
}

function withoutChance(tables: Record<string, unknown[]>): Record<string, unknown[]> {
  const known = new Map<string, string>();
  const numbered = (id: string) => {
    const key = id.replaceAll('-', '');
    if (!known.has(key)) known.set(key, `id ${known.size}`);
    return known.get(key) ?? '';
  };
  const { credentials, ...rest } = tables;
  expect(credentials).toHaveLength(1);
  const text = JSON.stringify(rest).replace(
    /[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|(?<=\ue000)[0-9a-f]{32}/g,
    numbered,
  );
  return JSON.parse(text);
}
