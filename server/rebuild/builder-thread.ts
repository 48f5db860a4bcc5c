import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { yieldCompilers } from '../../generator/priority.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';

/** How long a thread that failed rests before the next one starts. */
const RESTART_MS = 1_000;

/** The builder beside the API: whatever it does, no request waits for it. */
export interface BuilderThread {
  /** There may be new work. */
  wake(): void;
  /** Resolves when what was under way has ended. */
  stop(): Promise<void>;
}

/** Starts the builder in a thread, and again should it ever fail. */
export function startBuilderThread(config: Config, log: Log, onProgress: () => void): BuilderThread {
  // V8 compiles for the builder in threads of the process.
  yieldCompilers('requests');
  let stopping = false;
  let worker = start();
  let ended = supervise();

  function start(): Worker {
    const entry = createRequire(import.meta.url).resolve('#dist/server/rebuild/thread.js');
    return new Worker(entry, { workerData: config }).on('message', onProgress);
  }

  async function supervise(): Promise<void> {
    const failure = await new Promise<Error | null>((resolve) => {
      worker.once('error', resolve).once('exit', () => resolve(null));
    });
    if (failure) log.error({ err: failure }, 'the builder failed and is started again');
    if (stopping) return;
    await sleep(RESTART_MS);
    // Whoever has asked to stop meanwhile has asked a thread that was gone.
    if (stopping) return;
    worker = start();
    ended = supervise();
  }

  return {
    wake: () => worker.postMessage('wake'),
    async stop() {
      stopping = true;
      worker.postMessage('stop');
      await ended;
    },
  };
}
