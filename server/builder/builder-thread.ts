import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { lowerCompilerPriority } from '../../generator/workers/priority.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../runtime/log.ts';
import type { BuilderThreadData, BuilderThreadMessage } from './builder-entry.ts';
import { watchSilence } from './heartbeat-watch.ts';

/** Pause before a failed thread is restarted. */
const RESTART_MS = 1_000;

/** A thread without a heartbeat for this long is stuck in an endless computation and is terminated. */
const MAX_SILENCE_MS = 60_000;
/**
 * The same while the service stops: whoever stops it often waits for half a minute, and then kills it. It is longer
 * than a wait for the database's lock: to terminate a thread in the middle of one ends the whole process.
 */
const MAX_SILENCE_AT_STOP_MS = 15_000;

/** Memory limit of a builder. A blog that exceeds it kills this thread and not the process. */
const limits: ResourceLimits = { maxOldGenerationSizeMb: 512 };

/** The builder in a thread of its own, so that no API request waits for it. */
export interface BuilderThread {
  /** Signals that there may be new work. */
  wake(): void;
  /** Whether blogs are being built. False while a failed thread restarts. */
  isRunning(): boolean;
  /** Stops after the current work, or in the middle of it if the thread is stuck. Resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the builder in a thread and restarts it if it fails. Suspects (blogs whose builds killed a builder) are built
 * one after the other in a thread of their own, whose death delays no other blog.
 */
export function startBuilderThread(config: Config, log: Log, onProgress: () => void): BuilderThread {
  // V8 compiles the builder's code in threads of this process.
  lowerCompilerPriority('requests');
  const server = randomUUID();
  let stopping = false;
  let mainThread = start('innocents');
  let suspectThread: Thread | null = null;
  let ended = supervise();

  function start(whose: BuilderThreadData['blogGroup']): Thread {
    return startThread({ config, blogGroup: whose, server }, (message) => {
      if (message === 'progress') onProgress();
      if (message === 'suspects' && !suspectThread && !stopping) void buildSuspects();
    });
  }

  async function supervise(): Promise<void> {
    const failure = await mainThread.ended;
    if (failure) log.error({ err: failure }, 'the builder failed and will restart');
    if (stopping) return;
    await sleep(RESTART_MS);
    // A stop during the pause reached only the dead thread.
    if (stopping) return;
    mainThread = start('innocents');
    ended = supervise();
  }

  async function buildSuspects(): Promise<void> {
    suspectThread = start('suspects');
    const failure = await suspectThread.ended;
    if (failure) log.error({ err: failure }, 'the builder of a suspect blog failed');
    suspectThread = null;
  }

  return {
    wake: () => mainThread.send('wake'),
    isRunning: () => mainThread.isRunning(),
    async stop() {
      stopping = true;
      const other = suspectThread;
      mainThread.send('stop');
      other?.send('stop');
      await Promise.all([ended, other?.ended]);
    },
  };
}

interface Thread {
  send(what: 'wake' | 'stop'): void;
  isRunning(): boolean;
  /** Resolves to the failure; to null if the thread ended normally. */
  readonly ended: Promise<Error | null>;
}

function startThread(order: BuilderThreadData, onMessage: (message: BuilderThreadMessage) => void): Thread {
  const entry = createRequire(import.meta.url).resolve('#dist/server/builder/builder-entry.js');
  const worker = new Worker(entry, { workerData: order, resourceLimits: limits });
  let running = true;
  worker.on('message', (message: BuilderThreadMessage) => {
    watch.heartbeat();
    onMessage(message);
  });
  const watchFor = (milliseconds: number) => watchSilence(milliseconds, () => void worker.terminate());
  let watch = watchFor(MAX_SILENCE_MS);
  const ended = new Promise<Error | null>((resolve) => {
    worker.once('error', resolve).once('exit', (code) => {
      resolve(code === 0 ? null : new Error('terminated: it was stuck, and gave no sign of life'));
    });
  }).finally(() => {
    running = false;
    watch.stop();
  });
  return {
    send(what) {
      worker.postMessage(what);
      if (what !== 'stop' || !running) return;
      watch.stop();
      watch = watchFor(MAX_SILENCE_AT_STOP_MS);
    },
    isRunning: () => running,
    ended,
  };
}
