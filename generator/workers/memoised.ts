/**
 * A function that calls `make` once and returns the same promise to every caller. A rejection is not cached: current
 * callers get it, and the next caller tries again.
 */
export function memoised<T>(make: () => Promise<T>): () => Promise<T> {
  const cached = new Map<null, Promise<T>>();
  return () => cached.get(null) ?? cacheUnlessRejected(cached, null, make());
}

/** A function that calls `work`, or joins the call in progress with the same first argument. */
export function joined<Args extends readonly unknown[], T>(
  work: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  const inProgress = new Map<unknown, Promise<T>>();
  return (...args) => {
    const [key] = args;
    const running = inProgress.get(key) ?? work(...args).finally(() => inProgress.delete(key));
    inProgress.set(key, running);
    return running;
  };
}

/** A cache of promises by key: a `Map`, or a bounded cache. */
export interface PromiseCache<K, V> {
  get(key: K): V | Promise<V> | undefined;
  set(key: K, value: Promise<V>): unknown;
  delete(key: K): unknown;
}

/** Caches a promise under its key, and drops it if it rejects. Returns the same promise. */
export function cacheUnlessRejected<K, V>(
  cache: PromiseCache<K, V>,
  key: K,
  promise: Promise<V>,
): Promise<V> {
  cache.set(key, promise);
  promise.catch(() => {
    if (cache.get(key) === promise) cache.delete(key);
  });
  return promise;
}
