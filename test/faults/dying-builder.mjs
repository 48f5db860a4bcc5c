// A builder that is killed, as by `kill -9`, right before or right after its nth operation on the edge.
// Usage: node dying-builder.mjs <n> <before|after>, with the configuration in the environment.
// Exits with 0 where all work was done in fewer operations.
import { openFilesystemEdge } from '../../dist/generator/edge/filesystem.js';
import { readConfig } from '../../dist/server/config.js';
import { openBuilder } from '../../dist/server/rebuild/open-builder.js';

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

const builder = await openBuilder(config, { edge, cards });
await builder.drain();
await builder.close();
