let turn = 0;
let ends = false;

/**
 * The number of the event loop's turn. Whatever is handled in one turn had been sent when it began, so that what is
 * learnt for the first request of a turn is news enough for all of them: nobody can have been told of anything later
 * before asking.
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
