let turn = 0;
let ends = false;

/**
 * The number of the current event-loop tick. All requests of one tick were sent before it began. Thus data read for
 * the first request of a tick is fresh enough for all of them: no client can have seen anything newer before its
 * request.
 */
export function thisTurn(): number {
  if (!ends) {
    ends = true;
    setImmediate(() => {
      turn += 1;
      ends = false;
    });
  }
  return turn;
}
