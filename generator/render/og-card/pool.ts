import { createRequire } from 'node:module';
import { Piscina } from 'piscina';
import type { Card } from '../../page.ts';

/** Draws cards in worker threads, so that no event loop waits for them. */
export interface CardPool {
  /** A PNG of 1200 by 630 pixels. */
  draw(card: Card): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Threads start with the first cards and stay for a minute after the last, with their fonts. */
export function createCardPool({ threads }: { threads: number }): CardPool {
  const pool = new Piscina<Card, Uint8Array>({
    filename: createRequire(import.meta.url).resolve('#dist/generator/render/og-card/worker.js'),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    // A thread that waits on a lock never gets to free the images that resvg has drawn: 4 MB a card.
    atomics: 'disabled',
  });
  return { draw: (card) => pool.run(card), close: () => pool.close() };
}
