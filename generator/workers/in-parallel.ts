/**
 * Runs `work` on every item, at most `limit` at once, started in order. After a failure no further item is started, and
 * the promise rejects only when all running work has settled, so that late work cannot overtake a retry.
 */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failed = false;
  const runWorker = async () => {
    while (!failed) {
      const { done, value } = await iterator.next();
      if (done || failed) return;
      await work(value);
    }
  };
  const workers = Array.from({ length: limit }, () =>
    runWorker().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  const failure = (await Promise.allSettled(workers)).find((ended) => ended.status === 'rejected');
  if (failure) throw failure.reason;
}
