/** Clock change between two checks that counts as a step. Gradual clock synchronization stays below it. */
const MAX_DRIFT_MS = 1_000;

/**
 * Reports whether the wall clock ran without a step for the last `length` milliseconds (or since the first check).
 * After a step, expiry times of existing leases are meaningless until their holders have renewed them.
 */
export function watchWallClock(length: number): { isSteady(): boolean } {
  const clockOffset = () => Date.now() - performance.now();
  let knownOffset = clockOffset();
  let steppedAt = Number.NEGATIVE_INFINITY;
  return {
    isSteady() {
      const now = clockOffset();
      if (Math.abs(now - knownOffset) > MAX_DRIFT_MS) steppedAt = performance.now();
      knownOffset = now;
      return performance.now() - steppedAt > length;
    },
  };
}
