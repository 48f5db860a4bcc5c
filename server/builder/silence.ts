/** Looks of a watch within the time that it allows. */
const LOOKS = 10;

export interface SilenceWatch {
  /** To be called whenever the other side has given a sign of life. */
  heard(): void;
  stop(): void;
}

/**
 * Calls back once the other side has been silent for so many milliseconds. Time is counted in looks: while this process
 * stands still, as a suspended machine does, the other side cannot speak, and what it said before is read later than
 * the timer fires.
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
