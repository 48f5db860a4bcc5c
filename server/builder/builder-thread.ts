import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { yieldCompilers } from '../../generator/workers/priority.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../runtime/log.ts';
import { watchSilence } from './silence.ts';
import type { Order, Told } from './thread.ts';

/** How long a thread that failed rests before the next one starts. */
const RESTART_MS = 1_000;

/** A thread that has not told for so long that it lives is at something without an end, and is ended. */
const SILENCE_MAX_MS = 60_000;

/** What one builder may take. A blog that takes more costs this thread and not the process. */
const limits: ResourceLimits = { maxOldGenerationSizeMb: 512 };

/** The builder beside the API: whatever it does, no request waits for it. */
export interface BuilderThread {
  /** There may be new work. */
  wake(): void;
  /** Whether blogs are built: no thread is being started anew. */
  isRunning(): boolean;
  /** Resolves when what was under way has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the builder in a thread, and again should it ever fail. Blogs at which builders died are built by a thread of
 * their own, one after the other: it may die, too, and holds up nobody.
 */
export function startBuilderThread(config: Config, log: Log, onProgress: () => void): BuilderThread {
  // V8 compiles for the builder in threads of the process.
  yieldCompilers('requests');
  let stopping = false;
  let innocents = start('innocents');
  let suspects: Thread | null = null;
  let ended = supervise();

  function start(whose: Order['whose']): Thread {
    return startThread({ config, whose }, (told) => {
      if (told === 'progress') onProgress();
      if (told === 'suspects' && !suspects && !stopping) void buildSuspects();
    });
  }

  async function supervise(): Promise<void> {
    const failure = await innocents.ended;
    if (failure) log.error({ err: failure }, 'the builder failed and is started again');
    if (stopping) return;
    await sleep(RESTART_MS);
    // Whoever has asked to stop meanwhile has asked a thread that was gone.
    if (stopping) return;
    innocents = start('innocents');
    ended = supervise();
  }

  async function buildSuspects(): Promise<void> {
    suspects = start('suspects');
    const failure = await suspects.ended;
    if (failure) log.error({ err: failure }, 'the builder of a blog at which another had died failed, too');
    suspects = null;
  }

  return {
    wake: () => innocents.tell('wake'),
    isRunning: () => innocents.isRunning(),
    async stop() {
      stopping = true;
      const other = suspects;
      innocents.tell('stop');
      other?.tell('stop');
      await Promise.all([ended, other?.ended]);
    },
  };
}

interface Thread {
  tell(what: 'wake' | 'stop'): void;
  isRunning(): boolean;
  /** Resolves to why it ended; to null where it did by itself. */
  readonly ended: Promise<Error | null>;
}

function startThread(order: Order, onTold: (told: Told) => void): Thread {
  const entry = createRequire(import.meta.url).resolve('#dist/server/builder/thread.js');
  const worker = new Worker(entry, { workerData: order, resourceLimits: limits });
  let running = true;
  worker.on('message', (told: Told) => {
    watch.heard();
    onTold(told);
  });
  const watch = watchSilence(SILENCE_MAX_MS, () => void worker.terminate());
  const ended = new Promise<Error | null>((resolve) => {
    worker.once('error', resolve).once('exit', (code) => {
      resolve(
        code === 0
          ? null
          : new Error(`it was ended, for it told nothing for ${SILENCE_MAX_MS / 1_000} seconds`),
      );
    });
  }).finally(() => {
    running = false;
    watch.stop();
  });
  return { tell: (what) => worker.postMessage(what), isRunning: () => running, ended };
}
