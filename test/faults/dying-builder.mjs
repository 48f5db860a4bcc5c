// A builder that is killed, as by `kill -9`, right before or right after its nth operation on the edge.
// Usage: node dying-builder.mjs <n> <before|after>, with the configuration in the environment.
// Exits with 0 where all work was done in fewer operations.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFilesystemEdge } from '../../dist/generator/edge/filesystem.js';
import { readConfig } from '../../dist/server/config.js';
import { openBuilder } from '../../dist/server/rebuild/open-builder.js';
import { createSnapshots } from '../../dist/server/rebuild/snapshots.js';
import { findBlog } from '../../dist/server/store/blogs.js';
import { findLastChange, searchedPosts } from '../../dist/server/store/search-bases.js';

const [fatal, moment] = [Number(process.argv[2]), process.argv[3]];
const config = readConfig(process.env);
const real = await openFilesystemEdge(config.edgeDir);
let operations = 0;

async function counted(operate) {
  operations += 1;
  const mine = operations;
  if (mine === fatal && moment === 'before') process.kill(process.pid, 'SIGKILL');
  await operate();
  if (mine === fatal) process.kill(process.pid, 'SIGKILL');
}

const edge = {
  write: (path, bytes) => counted(() => real.write(path, bytes)),
  remove: (path) => counted(() => real.remove(path)),
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

const builder = await openBuilder(config, { edge, cards, bases });
await builder.drain();
await builder.close();
