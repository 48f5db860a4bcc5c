/** Checks within the allowed time. */
const CHECKS = 10;

export interface SilenceWatch {
  /** Must be called at every heartbeat. */
  heartbeat(): void;
  stop(): void;
}

/**
 * Calls `onSilent` after this many milliseconds without a heartbeat. Counts timer ticks instead of elapsed time: after
 * the machine was suspended, the timer fires before the waiting heartbeats are read, and a clock would report silence.
 */
export function watchSilence(milliseconds: number, onSilent: () => void): SilenceWatch {
  let silentChecks = 0;
  const timer = setInterval(() => {
    silentChecks += 1;
    if (silentChecks > CHECKS) onSilent();
  }, milliseconds / CHECKS).unref();
  return {
    heartbeat() {
      silentChecks = 0;
    },
    stop: () => clearInterval(timer),
  };
}
