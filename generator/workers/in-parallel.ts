/**
 * Does the work on every item as they come, at most `limit` at once, begun in their order. After a failure none is
 * begun, and it is told when all that was begun has ended: what is late must not overtake the next attempt.
 */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failed = false;
  const takeTurns = async () => {
    while (!failed) {
      const { done, value } = await iterator.next();
      if (done || failed) return;
      await work(value);
    }
  };
  const workers = Array.from({ length: limit }, () =>
    takeTurns().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  const failure = (await Promise.allSettled(workers)).find((ended) => ended.status === 'rejected');
  if (failure) throw failure.reason;
}
