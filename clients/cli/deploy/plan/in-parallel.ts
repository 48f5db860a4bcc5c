/** Runs work on items, at most `limit` at a time, in their order. Rejects with the first failure, once all are done. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let failure: { readonly reason: unknown } | undefined;
  const lane = async () => {
    for (let next = iterator.next(); !next.done && failure === undefined; next = iterator.next()) {
      try {
        await work(next.value);
      } catch (reason) {
        failure ??= { reason };
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
  if (failure !== undefined) throw failure.reason;
}
