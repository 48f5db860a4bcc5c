import { parentPort, workerData } from 'node:worker_threads';
import { leaveOneProcessor, yieldThread } from '../../generator/priority.ts';
import type { Config } from '../config.ts';
import { openBuilder } from './open-builder.ts';

/** What runs in the builder's thread. It is told `wake` and `stop`, and tells whenever it has got on. */
if (!parentPort) throw new Error('this module is the entry of a worker thread');
const port = parentPort;
const config: Config = workerData;

yieldThread('requests');
leaveOneProcessor();
const builder = await openBuilder(config, { onProgress: () => port.postMessage('progress') });
port.on('message', (message: 'wake' | 'stop') => builder[message]());
await builder.run();
await builder.close();
port.close();
