import {
  type CardLaneOptions,
  createCardLane,
  createIndexLane,
  type IndexLaneOptions,
} from './background-lanes.ts';
import { queueBacklog } from './backlog.ts';
import { createGathering } from './gathering.ts';
import { createPoll, type PollOptions } from './poll.ts';
import { createRebuildLanes } from './rebuild-lanes.ts';
import { createWakeup } from './wakeup.ts';

/** How often the queue is polled without a wakeup: for retries, and for writes of other processes. */
const POLL_MS = 1_000;

export interface BuilderOptions extends CardLaneOptions, IndexLaneOptions, PollOptions {
  /** Called whenever a rebuild, a card or a search index has ended, successfully or not. */
  readonly onProgress?: () => void;
}

export interface Builder {
  /** Works until stopped. Rejects if the database itself fails. */
  run(): Promise<void>;
  /**
   * Works until nothing is due or it is stopped; does not wait for scheduled retries. `isStart` (default true) first
   * queues failed work again, as a start of the server does. Repeated calls must pass false, or retries never run out.
   */
  drain(options?: { readonly isStart: boolean }): Promise<void>;
  /** Signals that there may be new work. */
  wake(): void;
  /** Starts no more work; `run` or `drain` resolves when the current work has ended. */
  stop(): void;
}

/** Creates a builder: it works off the rebuild queue and so keeps every blog's edge in step with the database. */
export function createBuilder(options: BuilderOptions): Builder {
  const stop = new AbortController();
  const { wake, wait } = createWakeup();
  const onEnd = () => {
    options.onProgress?.();
    wake();
  };
  const gathering = createGathering(wake);
  const rebuildLanes = createRebuildLanes({ ...options, gathering }, onEnd);
  const backgroundLanes = [createIndexLane(options, stop.signal, onEnd), createCardLane(options, onEnd)];
  // In the order in which they start work. A builder of suspects does nothing else: the next build may kill it.
  const lanes = options.blogGroup === 'suspects' ? rebuildLanes : [...rebuildLanes, ...backgroundLanes];
  const poll = createPoll(options);

  async function work(until: 'stopped' | 'nothing is due'): Promise<void> {
    let polledAt = Number.NEGATIVE_INFINITY;
    while (true) {
      if (performance.now() - polledAt >= POLL_MS) {
        await poll();
        polledAt = performance.now();
      }
      for (const lane of lanes) if (!stop.signal.aborted) await lane.startDue();
      const failed = lanes.find(({ slots }) => slots.failure !== undefined);
      if (failed) throw failed.slots.failure;
      const isIdle = lanes.every(({ slots }) => slots.isIdle);
      const isDone = stop.signal.aborted || (until === 'nothing is due' && gathering.blogs.length === 0);
      if (isIdle && isDone) return;
      await wait(POLL_MS);
    }
  }

  return {
    async run() {
      await queueBacklog(options);
      await work('stopped');
    },
    async drain({ isStart } = { isStart: true }) {
      if (isStart) await queueBacklog(options);
      await work('nothing is due');
    },
    wake,
    stop() {
      stop.abort();
      wake();
    },
  };
}
