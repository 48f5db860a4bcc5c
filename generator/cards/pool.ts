import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Card } from '../page.ts';
import { WorkerDied } from '../workers/worker-died.ts';

/** Draws cards in processes of their own, so that no event loop waits for them and none is lost with them. */
export interface CardPool {
  /**
   * A PNG of 1200 by 630 pixels. There are as many processes as cards are drawn at once: that is for whoever asks to
   * bound. Rejects where the card cannot be drawn; with `WorkerDied` where it takes too long or too much memory.
   */
  draw(card: Card): Promise<Uint8Array>;
  /** Resolves when what is being drawn is drawn and the processes are gone. */
  close(): Promise<void>;
}

export interface CardPoolOptions {
  /** Milliseconds that a card may take, the start of its process and all waiting for a processor included. */
  readonly timeoutMs?: number;
  /** Milliseconds for which a process that has nothing to draw stays, with its fonts. */
  readonly idleMs?: number;
  /** The program that draws (default: process.ts). */
  readonly program?: string;
}

/** What a process is sent, and what it answers. */
export interface ToDraw {
  readonly card: Card;
}
export type Drawn = { readonly png: Uint8Array } | { readonly failure: string };

/** What the objects of a card may take. Fonts and pictures lie beside them. */
const HEAP_MIB = 256;

const processFile = createRequire(import.meta.url).resolve('#dist/generator/cards/process.js');

export function createCardPool({
  timeoutMs = 5 * 60_000,
  idleMs = 60_000,
  program = processFile,
}: CardPoolOptions = {}): CardPool {
  const children = new Set<ChildProcess>();
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const underWay = new Set<Promise<unknown>>();

  function start(): ChildProcess {
    const child = fork(program, {
      // As many processes as processors: more threads to collect garbage would only take turns with them. What is
      // young (MiB) is gone with the card, and more room for it makes none faster.
      execArgv: ['--single-threaded-gc', '--max-semi-space-size=4', `--max-old-space-size=${HEAP_MIB}`],
      env: {},
      serialization: 'advanced',
    });
    children.add(child);
    for (const end of ['exit', 'error'] as const) {
      child.on(end, () => {
        children.delete(child);
        takeFromIdle(child);
      });
    }
    return child;
  }

  function takeFromIdle(child: ChildProcess): ChildProcess {
    clearTimeout(idle.get(child));
    idle.delete(child);
    return child;
  }

  /** The one that drew last has its fonts in the processor's memory, and the others get to go. */
  function findIdle(): ChildProcess | undefined {
    const child = [...idle.keys()].at(-1);
    return child && takeFromIdle(child);
  }

  async function draw(card: Card): Promise<Uint8Array> {
    const child = findIdle() ?? start();
    const drawn = await ask(child, { card }, timeoutMs).catch((error: Error) => {
      child.kill('SIGKILL');
      throw error;
    });
    idle.set(
      child,
      setTimeout(() => takeFromIdle(child).disconnect(), idleMs),
    );
    if ('failure' in drawn) throw new Error(drawn.failure);
    return drawn.png;
  }

  return {
    draw(card) {
      const drawn = draw(card).finally(() => underWay.delete(drawn));
      underWay.add(drawn);
      return drawn;
    },
    async close() {
      await Promise.allSettled(underWay);
      const ended = [...children].map((child) => once(child, 'exit'));
      for (const child of idle.keys()) takeFromIdle(child).disconnect();
      await Promise.all(ended);
    },
  };
}

/** A process that does not answer in time is ended. */
function ask(child: ChildProcess, request: ToDraw, timeoutMs: number): Promise<Drawn> {
  return new Promise((resolve, reject) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const listeners = {
      message: (drawn: Drawn) => settle(() => resolve(drawn)),
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
