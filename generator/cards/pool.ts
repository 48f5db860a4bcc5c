import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Card } from '../page.ts';
import { WorkerDied } from '../workers/worker-died.ts';

/** Draws cards in child processes, so that drawing blocks no event loop and a crash loses nothing else. */
export interface CardPool {
  /**
   * Returns a PNG of 1200 by 630 pixels. Every concurrent call has its own process: the caller limits their number.
   * Rejects if the card cannot be drawn, and with `WorkerDied` if it takes too long or too much memory.
   */
  draw(card: Card): Promise<Uint8Array>;
  /** Waits for the cards in progress, then stops the processes. */
  close(): Promise<void>;
}

export interface CardPoolOptions {
  /** Wall-clock limit for a card in milliseconds, process start included. */
  readonly timeoutMs?: number;
  /** Milliseconds after which an idle process, and the fonts in its memory, are released. */
  readonly idleMs?: number;
  /** Path of the drawing program (default: process.ts). */
  readonly program?: string;
}

/** The message to a process, and its reply. */
export interface DrawRequest {
  readonly card: Card;
}
export type DrawReply = { readonly png: Uint8Array } | { readonly failure: string };

/** Heap limit of a process. Fonts and images are outside the heap. */
const HEAP_MIB = 256;

const processFile = createRequire(import.meta.url).resolve('#dist/generator/cards/process.js');

export function createCardPool({
  timeoutMs = 5 * 60_000,
  idleMs = 60_000,
  program = processFile,
}: CardPoolOptions = {}): CardPool {
  const children = new Set<ChildProcess>();
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const inProgress = new Set<Promise<unknown>>();

  function start(): ChildProcess {
    const child = forkProgram(program);
    children.add(child);
    for (const end of ['exit', 'error'] as const) {
      child.on(end, () => {
        children.delete(child);
        claimIdle(child);
      });
    }
    return child;
  }

  function claimIdle(child: ChildProcess): ChildProcess {
    clearTimeout(idle.get(child));
    idle.delete(child);
    return child;
  }

  /** Takes the last used process: its fonts are in the processor's cache, and the others reach their idle timeout. */
  function findIdle(): ChildProcess | undefined {
    const child = [...idle.keys()].at(-1);
    return child && claimIdle(child);
  }

  async function draw(card: Card): Promise<Uint8Array> {
    const child = findIdle() ?? start();
    const drawn = await requestDrawing(child, { card }, timeoutMs).catch((error: Error) => {
      child.kill('SIGKILL');
      throw error;
    });
    idle.set(
      child,
      setTimeout(() => claimIdle(child).disconnect(), idleMs),
    );
    if ('failure' in drawn) throw new Error(drawn.failure);
    return drawn.png;
  }

  return {
    draw(card) {
      const drawn = draw(card).finally(() => inProgress.delete(drawn));
      inProgress.add(drawn);
      return drawn;
    },
    async close() {
      await Promise.allSettled(inProgress);
      const ended = [...children].map((child) => once(child, 'exit'));
      for (const child of idle.keys()) claimIdle(child).disconnect();
      await Promise.all(ended);
    },
  };
}

const forkProgram = (program: string): ChildProcess =>
  fork(program, {
    // There are as many processes as processors, so parallel garbage collection would only compete with them. A larger
    // semi-space (MiB) makes no card faster: its young objects die with it.
    execArgv: ['--single-threaded-gc', '--max-semi-space-size=4', `--max-old-space-size=${HEAP_MIB}`],
    env: {},
    serialization: 'advanced',
  });

/** Sends a card to a process, and kills the process if it does not reply in time. */
function requestDrawing(child: ChildProcess, request: DrawRequest, timeoutMs: number): Promise<DrawReply> {
  return new Promise((resolve, reject) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const listeners = {
      message: (drawn: DrawReply) => settle(() => resolve(drawn)),
      error: (error: Error) => settle(() => reject(error)),
      exit: (code: number | null, signal: string | null) =>
        settle(() =>
          reject(new WorkerDied(`The process that draws cards has ended (${signal ?? `code ${code}`})`)),
        ),
    };
    for (const [event, listener] of Object.entries(listeners)) child.on(event, listener);
    child.send(request, (error) => error && listeners.error(error));

    function settle(how: () => void): void {
      clearTimeout(kill);
      for (const [event, listener] of Object.entries(listeners)) child.off(event, listener);
      how();
    }
  });
}
