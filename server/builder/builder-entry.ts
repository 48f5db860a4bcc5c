import { parentPort, workerData } from 'node:worker_threads';
import { leaveOneProcessorFree, lowerThreadPriority } from '../../generator/workers/priority.ts';
import type { Config } from '../config/config.ts';
import { openBuilder } from './open-builder.ts';

/** Worker data of a builder thread. A thread for `suspects` ends when none are due. */
export interface BuilderThreadData {
  readonly config: Config;
  readonly blogGroup: 'innocents' | 'suspects';
  /** Id of the process. */
  readonly server: string;
}

/** Messages of a builder thread: progress, suspects that another thread must build, and a heartbeat every second. */
export type BuilderThreadMessage = 'progress' | 'suspects' | 'alive';

const HEARTBEAT_MS = 1_000;

/** The entry of a builder thread. It receives the messages `wake` and `stop`. */
if (!parentPort) throw new Error('this module is the entry of a worker thread');
const port = parentPort;
const { config, blogGroup: whose, server }: BuilderThreadData = workerData;
const send = (what: BuilderThreadMessage) => port.postMessage(what);

lowerThreadPriority('requests');
leaveOneProcessorFree();
const heartbeat = setInterval(() => send('alive'), HEARTBEAT_MS);
const builder = await openBuilder(config, {
  blogGroup: whose,
  server,
  onProgress: () => send('progress'),
  onSuspects: () => send('suspects'),
});
port.on('message', (message: 'wake' | 'stop') => builder[message]());
try {
  await (whose === 'suspects' ? builder.drain({ isStart: false }) : builder.run());
} finally {
  // Closing marks a normal end: a failed database must not make blogs suspects.
  await builder.close();
  clearInterval(heartbeat);
}
port.close();
