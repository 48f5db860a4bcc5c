/**
 * Does the work on every item, `limit` at a time, begun in the items' order; the results stand in that order, too.
 * The first error rejects, and nothing new is begun after it.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
  onDone: (done: number) => void,
): Promise<Result[]> {
  const results: Result[] = [];
  // One generator for all: a loop that is left by an error closes it for the others.
  const queue = (function* () {
    yield* items.entries();
  })();
  let done = 0;
  async function takeTurns(): Promise<void> {
    for (const [index, item] of queue) {
      results[index] = await work(item);
      onDone(++done);
    }
  }
  await Promise.all(Array.from({ length: limit }, takeTurns));
  return results;
}
