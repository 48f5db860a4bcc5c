/** Checks within the allowed time. */
const LOOKS = 10;

export interface SilenceWatch {
  /** Must be called at every heartbeat. */
  heard(): void;
  stop(): void;
}

/**
 * Calls `onSilent` after so many milliseconds without a heartbeat. Counts timer ticks instead of elapsed time: after the
 * machine was suspended, the timer fires before the waiting heartbeats are read, and a clock would report silence.
 */
export function watchSilence(milliseconds: number, onSilent: () => void): SilenceWatch {
  let silentLooks = 0;
  const timer = setInterval(() => {
    silentLooks += 1;
    if (silentLooks > LOOKS) onSilent();
  }, milliseconds / LOOKS).unref();
  return {
    heard() {
      silentLooks = 0;
    },
    stop: () => clearInterval(timer),
  };
}
