// A builder that is killed, as by `kill -9`, at the nth moment right before or right after an operation on the edge, or
// that is stopped right before its nth operation, to go on when it is told to (and, where it is stopped for the last
// time, to die when the operation is done).
// Usage: node dying-builder.mjs <n> <killed|stopped|stopped-last>, with the configuration in the environment and, in
// LEASE_LENGTH, for how many milliseconds it has its work, in NOW, what time it is. Says `stopped` when it is about to be.
// Exits with 0 where it was not killed, and says how many operations there were.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openEdge } from '../../dist/generator/edge/open-edge.js';
import { findBlog } from '../../dist/server/blogs/store.js';
import { openBuilder } from '../../dist/server/builder/open-builder.js';
import { readConfig } from '../../dist/server/config/config.js';
import { findLastChange, searchedPosts } from '../../dist/server/search-index/store.js';
import { createSnapshots } from '../../dist/server/site/snapshots.js';

const [fatal, moment] = [Number(process.argv[2]), process.argv[3]];
const config = readConfig(process.env);
const real = await openEdge(config.edge);
const probe = new Database(config.databaseFile, { timeout: 0 });
let [operations, done, moments, lastLeft] = [0, 0, 0, ''];

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
  // The folder has it by now, before anybody waits for it.
  if (config.edge.kind === 'filesystem') done += 1;
  const result = await operation;
  if (config.edge.kind !== 'filesystem') done += 1;
  if (moment === 'killed') dieIfItIsTime();
  if (isMine && moment === 'stopped-last') process.kill(process.pid, 'SIGKILL');
  return result;
}

// Before an operation is after the one before, unless something was written meanwhile: what is left behind is the same.
function dieIfItIsTime() {
  const left = `${done} ${probe.pragma('data_version', { simple: true })}`;
  if (left === lastLeft) return;
  lastLeft = left;
  moments += 1;
  if (moments === fatal) process.kill(process.pid, 'SIGKILL');
}

// Whoever stands still in a transaction keeps everybody from the database, which is another matter.
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

const edge = {
  concurrency: real.concurrency,
  write: (path, bytes) => counted(() => real.write(path, bytes)),
  remove: (paths) => counted(() => real.remove(paths)),
  invalidate: (paths) => counted(() => real.invalidate(paths)),
};
const cards = { draw: async (card) => Buffer.from(JSON.stringify(card)), close: async () => {} };

// As in test/support/bases.ts: one file, in which all posts are.
const bases = {
  async make(blogId, use) {
    const snapshots = createSnapshots(config.databaseFile);
    const folder = mkdtempSync(join(tmpdir(), 'platen-base-'));
    const made = await snapshots.read(async (snapshot) => {
      const posts = [];
      for await (const { id, title } of searchedPosts(snapshot, blogId)) posts.push({ id, title });
      const content = JSON.stringify(posts);
      writeFileSync(join(folder, 'all.json'), content);
      const { slug } = await findBlog(snapshot, blogId);
      const hash = createHash('sha256').update(content).digest('hex');
      return {
        slug,
        lastChange: await findLastChange(snapshot, blogId),
        files: [{ path: 'all.json', hash }],
      };
    });
    await use(made, folder);
    await snapshots.close();
    rmSync(folder, { recursive: true });
  },
  stop() {},
};

const leaseLength = Number(process.env.LEASE_LENGTH ?? 30_000);
// What waits after its death is due by the clock of the test.
const clock = { now: () => process.env.NOW };
const builder = await openBuilder(config, { edge, cards, bases, leaseLength, clock });
await builder.drain();
await builder.close();
if (moment === 'killed') writeSync(1, `${operations}\n`);
