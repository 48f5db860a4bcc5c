import { constants } from 'node:os';

/** Signals that follow the first one within this time belong to the same Ctrl-C. */
const SAME_CTRL_C_MS = 3_000;

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Calls `stop` at the first SIGINT or SIGTERM. Under npm and npx, the process gets the SIGINT of one Ctrl-C twice, from
 * the terminal and from npm, so it ignores repeats while it stops. A later one means it: it ends the process at once.
 */
export function stopOnSignal(stop: () => void): void {
  let stoppedAt: number | null = null;
  for (const signal of signals) {
    process.on(signal, () => {
      if (stoppedAt === null) {
        stoppedAt = performance.now();
        stop();
      } else if (performance.now() - stoppedAt > SAME_CTRL_C_MS) {
        process.exit(128 + constants.signals[signal]);
      }
    });
  }
}
