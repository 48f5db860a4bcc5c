/**
 * The process that builds one blog's search index. Reads a line of JSON from standard input (`IndexRequest` in
 * index-messages.ts) and writes one to standard output (`Reply`). Exits with its builder, whose death closes standard
 * input.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSearchIndex } from '../../generator/search/search-index.ts';
import { lowerProcessPriority } from '../../generator/workers/priority.ts';
import { findAppearance, findBlog } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import { openDatabase } from '../database/dialect.ts';
import { IndexRequest, type IndexResult } from './index-messages.ts';
import { allSearchedPosts, findLastSearchChange } from './store.ts';

// Child processes inherit the low priority.
lowerProcessPriority('builder');

const request = IndexRequest.parse(JSON.parse(await firstLine()));
process.stdin.on('end', () => process.exit(1)).resume();
const db = openDatabase({ file: request.databaseFile, transactions: 'snapshot', durable: false });
const result = await db.transaction().execute(buildIndex);
await db.destroy();
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));

async function buildIndex(snapshot: Db): Promise<IndexResult> {
  const { blogId, folder } = request;
  const blog = await findBlog(snapshot, blogId);
  if (!blog || blog.takenDownAt !== null) return null;
  const lastChange = await findLastSearchChange(snapshot, blogId);
  const { settings } = await findAppearance(snapshot, blogId);
  const paths = await writeSearchIndex(allSearchedPosts(snapshot, blogId), settings.language, folder);
  const files = [];
  for (const path of paths) {
    const hash = createHash('sha256')
      .update(await readFile(join(folder, path)))
      .digest('hex');
    files.push({ path, hash });
  }
  return { folder: blog.folder, lastChange, files };
}

function firstLine(): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (!text.includes('\n')) return;
      process.stdin.off('data', read);
      resolve(text);
    };
    process.stdin.on('data', read).once('error', reject);
  });
}
