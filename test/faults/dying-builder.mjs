// @ts-check
// A builder that is killed, as by `kill -9`, at the nth point directly before or after an edge operation, or that is
// stopped directly before its nth operation and resumes when it is told to. With `stopped-last` it also dies once
// that operation is done. Usage: node dying-builder.mjs <n> <killed|stopped|stopped-last>. The environment holds the
// configuration, the lease length in milliseconds (LEASE_LENGTH) and the current time (NOW). It prints `stopped`
// directly before it stops. Exits with 0 if it was not killed, and prints the number of operations.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { edgeOf } from '#dist/generator/edge/edge-kinds.js';
import { findBlog } from '#dist/server/blogs/store.js';
import { openBuilder } from '#dist/server/builder/open-builder.js';
import { readConfig } from '#dist/server/config/config.js';
import { allSearchedPosts, findLastSearchChange } from '#dist/server/search-index/store.js';
import { createSnapshots } from '#dist/server/site/snapshots.js';

const [fatal, moment] = [Number(process.argv[2]), process.argv[3]];
const config = readConfig(process.env);
const configured = edgeOf(config.edge);
const isInFolder = configured.localFolder !== null;
const real = await configured.open();
const probe = new Database(config.databaseFile, { timeout: 0 });
let [operations, done, moments, lastLeft] = [0, 0, 0, ''];

/**
 * @template T
 * @param {() => Promise<T>} operate
 */
async function counted(operate) {
  operations += 1;
  const isMine = operations === fatal;
  if (moment === 'killed') dieIfItIsTime();
  if (isMine && moment !== 'killed') {
    await nothingIsBeingWritten();
    writeSync(1, 'stopped\n');
    process.kill(process.pid, 'SIGSTOP');
  }
  const operation = operate();
  // The folder holds the file at this point, before anything awaits the write.
  if (isInFolder) done += 1;
  const result = await operation;
  if (!isInFolder) done += 1;
  if (moment === 'killed') dieIfItIsTime();
  if (isMine && moment === 'stopped-last') process.kill(process.pid, 'SIGKILL');
  return result;
}

// The state before an operation equals the state after the previous one unless something was written in between, so
// only distinct states count.
function dieIfItIsTime() {
  const left = `${done} ${probe.pragma('data_version', { simple: true })}`;
  if (left === lastLeft) return;
  lastLeft = left;
  moments += 1;
  if (moments === fatal) process.kill(process.pid, 'SIGKILL');
}

// A builder that is stopped inside a transaction would lock everybody out of the database; that is not tested here.
async function nothingIsBeingWritten() {
  for (let isFree = false; !isFree; ) {
    try {
      probe.exec('begin immediate; rollback');
      isFree = true;
    } catch {
      await sleep(1);
    }
  }
}

/** @type {import('#dist/generator/edge/edge.js').Edge} */
const edge = {
  concurrency: real.concurrency,
  write: (path, bytes) => counted(() => real.write(path, bytes)),
  remove: (paths) => counted(() => real.remove(paths)),
  invalidate: (paths) => counted(() => real.invalidate(paths)),
};
/** @type {import('#dist/generator/cards/pool.js').CardPool} */
const cards = { draw: async (card) => Buffer.from(JSON.stringify(card)), close: async () => {} };

/**
 * As in the test support: a search index of one file that holds all posts.
 * @type {import('#dist/server/search-index/index-maker.js').IndexMaker}
 */
const indexMaker = {
  async make(blogId, use) {
    const snapshots = createSnapshots(config.databaseFile);
    const madeIn = mkdtempSync(join(tmpdir(), 'platen-index-'));
    const made = await snapshots.read(async (snapshot) => {
      const posts = [];
      for await (const { id, title } of allSearchedPosts(snapshot, blogId)) posts.push({ id, title });
      const content = JSON.stringify(posts);
      writeFileSync(join(madeIn, 'all.json'), content);
      const blog = await findBlog(snapshot, blogId);
      if (blog === null) throw new Error(`there is no blog ${blogId}`);
      const hash = createHash('sha256').update(content).digest('hex');
      return {
        folder: blog.folder,
        lastChange: await findLastSearchChange(snapshot, blogId),
        files: [{ path: 'all.json', hash }],
      };
    });
    await use(made, madeIn);
    await snapshots.close();
    rmSync(madeIn, { recursive: true });
  },
  stop() {},
};

const leaseLength = Number(process.env.LEASE_LENGTH ?? 30_000);
// Work that is left after the death is due by the clock of the test.
const clock = { now: () => process.env.NOW ?? '' };
const builder = await openBuilder(config, { edge, cards, indexMaker, leaseLength, clock });
await builder.drain();
await builder.close();
if (moment === 'killed') writeSync(1, `${operations}\n`);
