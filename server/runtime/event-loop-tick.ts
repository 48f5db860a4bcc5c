let tick = 0;
let isAdvanceScheduled = false;

/**
 * The number of the current event-loop tick. All requests of one tick were sent before it began. Thus data read for
 * the first request of a tick is fresh enough for all of them: no client can have seen anything newer before its
 * request.
 */
export function currentTick(): number {
  if (!isAdvanceScheduled) {
    isAdvanceScheduled = true;
    setImmediate(() => {
      tick += 1;
      isAdvanceScheduled = false;
    });
  }
  return tick;
}
