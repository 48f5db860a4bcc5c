import { parentPort, workerData } from 'node:worker_threads';
import { leaveOneProcessor, yieldThread } from '../../generator/workers/priority.ts';
import type { Config } from '../config/config.ts';
import { openBuilder } from './open-builder.ts';

/** What a builder's thread is to do: `suspects` ends when there are no more. */
export interface Order {
  readonly config: Config;
  readonly whose: 'innocents' | 'suspects';
}

/** What it tells: that it got on, that suspects wait for another, and, as often as nothing holds it up, that it lives. */
export type Told = 'progress' | 'suspects' | 'alive';

const ALIVE_MS = 1_000;

/** What runs in a builder's thread. It is told `wake` and `stop`. */
if (!parentPort) throw new Error('this module is the entry of a worker thread');
const port = parentPort;
const { config, whose }: Order = workerData;
const tell = (what: Told) => port.postMessage(what);

yieldThread('requests');
leaveOneProcessor();
const alive = setInterval(() => tell('alive'), ALIVE_MS);
const builder = await openBuilder(config, {
  whose,
  onProgress: () => tell('progress'),
  onSuspects: () => tell('suspects'),
});
port.on('message', (message: 'wake' | 'stop') => builder[message]());
try {
  await (whose === 'suspects' ? builder.drain({ isStart: false }) : builder.run());
} finally {
  // One whose database failed has ended by itself, and accuses no blog of its death.
  await builder.close();
  clearInterval(alive);
}
port.close();
